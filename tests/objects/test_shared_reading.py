"""What several rules read from objects: chart values, what Applications apply, what monitors select."""

from typing import Any

import pytest

from gitgpu.objects.gitops.applications import applies, heals, reaches
from gitgpu.objects.gitops.layered_values import is_for_author, merge_values, without_actions
from gitgpu.objects.gitops.releases import releases as every_release
from gitgpu.objects.gitops.releases import releases_of
from gitgpu.objects.gitops.value_keys import value_maps
from gitgpu.objects.monitoring.monitors import Endpoint
from gitgpu.objects.monitoring.queries import queries
from gitgpu.objects.objects import Delivered, Given, Item, Objects, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.software.daemons import daemons
from gitgpu.objects.software.plugin_configs import choices, is_config
from gitgpu.objects.workload.label_selectors import label_faults
from gitgpu.objects.workload.node_constraints import ANYTHING, tolerations_of
from gitgpu.objects.workload.pods import pods
from gitgpu.source import SourceMap, Span
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, shared_norms

Body = dict[str, Any]


def item(kind: str, file: str = "a.yaml", **body: Any) -> Item:
    """An object in a file."""
    whole = {"apiVersion": "v1", "kind": kind, "metadata": {"name": "x", "namespace": "a"}, **body}
    return Item(Given(whole, SourceMap.of(Span(file, 1, 1))), identity(whole), Scope.NAMESPACED)


def all_of(*items: Item) -> Objects:
    """All objects of a cluster."""
    norms, present = shared_norms(), frozenset(each.identity for each in items)
    return Objects(items, present, norms.catalog, norms.kinds, KUBERNETES)


@for_each(
    ("default", "given", "merged"),
    [
        ({}, {}, {}),
        ({"a": 1}, {}, {"a": 1}),
        ({"a": 1}, {"a": 2, "b": 3}, {"a": 2, "b": 3}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}}, {"a": {"b": 3, "c": 2}}),
        ({"a": {"b": {"c": 1}}}, {"a": {"b": {"d": 2}}}, {"a": {"b": {"c": 1, "d": 2}}}),
        ({"a": {"b": 1}}, {"a": 2}, {"a": 2}),
        ({"a": {"b": 1}}, {"a": None}, {"a": None}),
        ({"a": 1}, {"a": {"b": 2}}, {"a": {"b": 2}}),
        ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
        ({"a": {"b": 1}}, {"c": 1}, {"a": {"b": 1}, "c": 1}),
    ],
)
def test_values_over_others(default: Body, given: Body, merged: Body) -> None:
    assert merge_values(default, given) == merged


def test_values_without_the_parameters_of_an_application_set() -> None:
    written = {
        "a": "{{ .x }}",
        "b": "plain",
        "{{ .key }}": 1,
        "c": {"d": "x{{.y}}", "e": [1, "{{z}}", {"f": "{{g}}", "h": True}]},
        "list": ["{{a}}"],
        "number": 3,
    }
    assert without_actions(written) == {"b": "plain", "c": {"e": [1, {"h": True}]}, "list": [], "number": 3}
    assert without_actions("text") == "text"


@for_each(
    ("key", "expected"),
    [("x-common", True), ("_shared", True), (".base", True), ("gpuAnchors", True), ("anchor", True), ("xyz", False),
     ("a.b", False), ("a_b", False), ("ax-", False)],
)  # fmt: skip
def test_keys_that_only_serve_authors(key: str, *, expected: bool) -> None:
    assert is_for_author(key) is expected


@for_each(
    ("policy", "expected"),
    [
        ({"automated": {"selfHeal": True}}, True),
        ({"automated": {"selfHeal": True, "enabled": True}}, True),
        ({"automated": {"selfHeal": True, "enabled": False}}, False),
        ({"automated": {"selfHeal": False}}, False),
        ({"automated": {}}, False),
        ({}, False),
        (None, False),
    ],
)
def test_applications_that_undo_changes(policy: Any, *, expected: bool) -> None:
    assert heals({"syncPolicy": policy}) is expected


@for_each(
    ("spec", "file", "expected"),
    [
        ({"source": {"path": "apps"}}, "apps/a.yaml", (True, True)),
        ({"source": {"path": "./apps/"}}, "apps/sub/a.yaml", (True, True)),
        ({"source": {"path": "apps"}}, "apps2/a.yaml", (False, False)),
        ({"source": {"path": "."}}, "any/a.yaml", (True, True)),
        ({"sources": [{"path": "x"}, {"path": "apps"}]}, "apps/a.yaml", (True, True)),
        ({"source": {"path": "apps", "chart": "keda"}}, "apps/a.yaml", (False, False)),
        ({"source": {"chart": "keda"}}, "a.yaml", (False, False)),
        ({"source": {"path": "apps", "kustomize": {"replicas": [{"name": "x"}]}}}, "apps/a.yaml", (True, False)),
        ({}, "a.yaml", (False, False)),
    ],
)
def test_what_an_application_applies(spec: Body, file: str, expected: tuple[bool, bool]) -> None:
    application, applied = item("Application", spec=spec), item("Deployment", file)
    assert (reaches(application, spec, applied), applies(application, spec, applied)) == expected


def test_a_delivered_object_is_applied_by_its_deliverer() -> None:
    application = item("Application")
    applied = item("Deployment")._replace(delivered=Delivered("Application/a/x", {}))
    assert applies(application, {}, applied)
    assert not applies(application, {"source": {"path": "."}}, applied._replace(delivered=Delivered("other", {})))
    assert not applies(application, {"source": {"kustomize": {"replicas": []}}}, applied)


def releases(kind: str = "Application", destination: Body | None = None, **source: Any) -> list[tuple[Any, ...]]:
    """The releases of one source: chart, version, namespace, cluster, values, and whether these are all values."""
    spec = {"destination": destination or {"namespace": "gpu"}, "source": {"targetRevision": "1.0", **source}}
    own = item(kind, spec=spec)
    released = releases_of(own, spec, ("spec",))
    return [(each.chart, each.version, each.namespace, each.cluster, each.values, each.whole) for each in released]


SET = "ApplicationSet"


@for_each(
    ("kind", "source", "expected"),
    [
        ("Application", {}, []),
        ("Application", {"path": "x"}, []),
        ("Application", {"chart": "keda"}, [("keda", "1.0", "gpu", "", {}, True)]),
        ("Application", {"chart": "a/keda"}, [("keda", "1.0", "gpu", "", {}, True)]),
        ("Application", {"chart": "{{c}}"}, [("{{c}}", "1.0", "gpu", "", {}, True)]),
        (SET, {"chart": "{{c}}"}, []),
        (SET, {"chart": "keda", "targetRevision": "{{v}}"}, [("keda", "", "gpu", "", {}, True)]),
        (SET, {"chart": "keda", "helm": {"valuesObject": {"a": 1}}}, [("keda", "1.0", "gpu", "", {"a": 1}, True)]),
        (SET, {"chart": "keda", "helm": {"valuesObject": {"a": "{{b}}", "c": 1}}},
         [("keda", "1.0", "gpu", "", {"c": 1}, False)]),
        (SET, {"chart": "keda", "helm": {"valuesObject": {}, "valueFiles": ["x"]}},
         [("keda", "1.0", "gpu", "", {}, False)]),
        ("Application", {"chart": "keda", "helm": {"values": "a: 1\n"}},
         [("keda", "1.0", "gpu", "", {"a": 1}, True)]),
        ("Application", {"chart": "keda", "helm": {"values": "a: 1\n", "valuesObject": {"b": 2}}},
         [("keda", "1.0", "gpu", "", {"b": 2}, True)]),
        ("Application", {"chart": "keda", "helm": {"values": "a: 1\n---\nb: 2\n"}},
         [("keda", "1.0", "gpu", "", {}, False)]),
        ("Application", {"chart": "keda", "helm": {"values": "a: [\n"}}, [("keda", "1.0", "gpu", "", {}, False)]),
        ("Application", {"chart": "keda", "helm": {"values": "[1]\n"}}, [("keda", "1.0", "gpu", "", {}, False)]),
        ("Application", {"chart": "keda", "helm": {"parameters": [{"name": "a", "value": "b"}]}},
         [("keda", "1.0", "gpu", "", {}, False)]),
    ],
)  # fmt: skip
def test_the_releases_of_an_application(kind: str, source: Body, expected: list[tuple[Any, ...]]) -> None:
    assert releases(kind, **source) == expected


@for_each(
    ("destination", "namespace", "cluster"),
    [
        ({"namespace": "gpu", "server": "https://kubernetes.default.svc"}, "gpu", ""),
        ({"namespace": "gpu", "name": "in-cluster"}, "gpu", ""),
        ({"server": "https://other:6443"}, "", "https://other:6443"),
        ({"namespace": "gpu", "name": "other"}, "gpu", "other"),
    ],
)
def test_the_cluster_of_an_application(destination: Body, namespace: str, cluster: str) -> None:
    ((_, _, home, where, _, _),) = releases(destination=destination, chart="keda")
    assert (home, where) == (namespace, cluster)


@for_each(
    ("chosen", "seen"),
    [
        (None, {"a", ""}),
        ({}, {"a", ""}),
        ({"any": True}, {"a", "b", ""}),
        ({"any": False}, {"a", ""}),
        ({"matchNames": ["b"]}, {"b", ""}),
        ({"matchNames": ["a", "b"]}, {"a", "b", ""}),
        ({"matchNames": ["${NAMESPACE}", ""]}, {"a", "b", ""}),
    ],
)
def test_the_namespaces_that_a_monitor_sees(chosen: Any, seen: set[str]) -> None:
    endpoint = Endpoint(item("ServiceMonitor", spec={"namespaceSelector": chosen}), ("spec", "endpoints", 0), {})
    assert {namespace for namespace in ("a", "b", "") if endpoint.sees(namespace)} == seen


@for_each(
    ("selector", "of_dcgm", "only_labels"),
    [
        ({"matchLabels": {"app": "nvidia-dcgm-exporter"}}, True, True),
        ({"matchLabels": {"app": "x", "part": "dcgm-exporter"}}, True, True),
        ({"matchLabels": {"app": "other"}}, False, True),
        ({"matchLabels": {"app": "dcgm-exporter"}, "matchExpressions": [{"key": "a"}]}, True, False),
        ({"matchExpressions": [{"key": "a"}]}, False, False),
        ({}, False, False),
    ],
)
def test_what_a_monitor_selects(selector: Body, *, of_dcgm: bool, only_labels: bool) -> None:
    endpoint = Endpoint(item("ServiceMonitor", spec={"selector": selector}), ("spec", "endpoints", 0), {})
    assert (endpoint.of_dcgm, endpoint.only_labels) == (of_dcgm, only_labels)


@pytest.mark.parametrize(
    ("body", "honors"), [({"honorLabels": True}, True), ({"honorLabels": False}, False), ({}, False)]
)
def test_whether_the_labels_of_an_exporter_are_kept(body: Body, *, honors: bool) -> None:
    assert Endpoint(item("ServiceMonitor"), (), body).honors is honors


@for_each(
    ("key", "value", "expected"),
    [
        ("app", "x", []),
        ("app", None, []),
        ("app", "a b", ["'a b' is not a valid label value"]),
        ("a b", "a b", ["'a b' is not a valid label key"]),
    ],
)
def test_a_label_that_a_pod_selects(key: str, value: str | None, expected: list[str]) -> None:
    assert [fault.message for fault in label_faults(("x",), key, value)] == expected


NFD, PLUGIN = "registry.k8s.io/nfd/node-feature-discovery:v0.17", "nvcr.io/nvidia/k8s-device-plugin:v0.17.1"
SOCKETS = {"volumes": [{"name": "s", "hostPath": {"path": "/var/lib/kubelet/device-plugins"}}]}
PARTS = ("device-plugin", "amd-device-plugin", "dcgm-exporter", "feature-discovery")


@for_each(
    ("container", "pod", "provides"),
    [
        ({"image": PLUGIN}, SOCKETS, ["device-plugin"]),
        ({"image": PLUGIN}, {}, []),  # GPU Feature Discovery
        ({"image": PLUGIN}, {"volumes": [{"name": "s", "hostPath": {"path": "/var/lib/kubelet"}}]}, []),
        ({"image": "docker.io/rocm/k8s-device-plugin:1"}, SOCKETS, ["amd-device-plugin"]),
        ({"image": "docker.io/rocm/k8s-device-plugin:1"}, {}, []),
        ({"image": "nvcr.io/nvidia/k8s/dcgm-exporter:4"}, {}, ["dcgm-exporter"]),
        ({"image": NFD, "command": ["nfd-worker"]}, {}, ["feature-discovery"]),
        ({"image": NFD, "command": ["/usr/bin/nfd-worker"], "args": ["-v"]}, {}, ["feature-discovery"]),
        ({"image": NFD, "args": ["nfd-worker"]}, {}, ["feature-discovery"]),
        ({"image": NFD, "command": ["nfd-master"]}, {}, []),
        ({"image": NFD}, {}, []),
        ({"image": "other", "command": ["nfd-worker"]}, {}, []),
        ({}, {}, []),
    ],
)
def test_what_the_containers_of_a_daemon_set_provide(container: Body, pod: Body, provides: list[str]) -> None:
    main = {"name": "main", **container}
    spec = {"selector": {"matchLabels": {"a": "b"}}, "template": {"spec": {"containers": [main], **pod}}}
    daemon = item("DaemonSet", apiVersion="apps/v1", spec=spec)
    objects = all_of(daemon)
    assert [daemon.provides for daemon in daemons(objects, *PARTS)] == provides
    assert [*daemons(objects, "other")] == []


def helm_release(chart: str, **spec: Any) -> Item:
    """A HelmRelease."""
    whole = {"chart": {"spec": {"chart": chart, "version": "1.0"}}, **spec}
    return item("HelmRelease", apiVersion="helm.toolkit.fluxcd.io/v2", spec=whole)


@for_each(
    ("rules", "expected"),
    [
        ({"custom": [{"seriesQuery": "a"}, {"seriesQuery": "b"}]}, ["a", "b"]),
        ({"custom": [{"seriesQuery": "a"}], "external": [{"seriesQuery": "b"}]}, ["a", "b"]),
        ({"custom": [{"other": "a"}, None, "text", {"seriesQuery": 1}]}, []),
        ({"custom": "text", "external": None}, []),
        ({"resource": [{"seriesQuery": "a"}]}, []),
        ({}, []),
    ],
)
def test_the_queries_of_the_prometheus_adapter(rules: Body, expected: list[str]) -> None:
    release = helm_release("prometheus-adapter", values={"rules": rules})
    assert [query.text for query in queries(all_of(release))] == expected
    assert [*queries(all_of(helm_release("other", values={"rules": rules})))] == []


def config_map(name: str, **data: str) -> Item:
    """A ConfigMap."""
    return item("ConfigMap", metadata={"name": name, "namespace": "a"}, data=data)


@for_each(
    ("source", "expected"),
    [
        ({"kind": "ConfigMap", "name": "m"}, {"a": 1}),
        ({"kind": "ConfigMap", "name": "m", "valuesKey": "other"}, {"b": 2}),
        ({"kind": "ConfigMap", "name": "m", "valuesKey": "absent"}, None),
        ({"kind": "ConfigMap", "name": "absent"}, None),
        ({"kind": "Secret", "name": "m"}, None),
        ({"kind": "ConfigMap", "name": "m", "targetPath": "x.y"}, {"x": {"y": True}}),
        ({"kind": "Secret", "name": "m", "targetPath": "x"}, {"x": True}),
        ({"kind": "ConfigMap", "name": "m", "targetPath": "x[0]"}, None),
        ({"kind": "ConfigMap", "name": "m", "targetPath": "x\\.y"}, None),
    ],
)
def test_the_values_that_a_release_takes_from_elsewhere(source: Body, expected: Body | None) -> None:
    release = helm_release("keda", values={"own": 1}, valuesFrom=[source])
    maps = config_map("m", **{"values.yaml": "a: 1\n", "other": "b: 2\n"}), config_map("n", **{"values.yaml": "c: 3\n"})
    objects = all_of(release, *maps)
    (own,) = every_release(objects, "keda")
    assert [each.values for each in value_maps(own, objects)] == [{"own": 1}, *([] if expected is None else [expected])]


@for_each(
    ("body", "expected"),
    [
        ({"sharing": {"timeSlicing": {}}}, True),
        ({"version": "v1", "sharing": {"mps": {}}}, True),
        ({"version": "v2", "sharing": {"mps": {}}}, False),
        ({"version": "v1"}, False),
        ({"flags": {"migStrategy": "none"}}, True),
        ({"flags": {"plugin": {"sharing": {"mps": {}}}}}, True),
        ({"flags": {"sharing": {"timeSlicing": {}}}}, True),
        ({"flags": {"other": 1}}, False),
        ({"sharing": {"other": {}}}, False),
        ({"sharing": "text", "flags": "text"}, False),
        ({}, False),
    ],
)
def test_whether_a_text_is_a_configuration_of_the_device_plugin(body: Body, *, expected: bool) -> None:
    assert is_config(body) is expected


CONFIG_LABEL = "nvidia.com/device-plugin.config"


def plugin(kind: str = "DaemonSet", mounted: Any = "m", **env: str | None) -> Item:
    """A workload with environment variables that mounts a ConfigMap."""
    variables = [None, *({"name": key, "value": value} for key, value in env.items())]
    volumes = [None, {"name": "other"}, {"name": "config", "configMap": {"name": mounted}}]
    spec = {"containers": [{"name": "a", "image": "x"}, {"name": "b", "image": "y", "env": variables}]}
    pod = {"spec": {**spec, "volumes": volumes}}
    return item(kind, apiVersion="apps/v1", spec={"selector": {"matchLabels": {"a": "b"}}, "template": pod})


@for_each(
    ("workload", "expected"),
    [
        (plugin(NODE_LABEL=CONFIG_LABEL), [({"one", "two"}, "")]),
        (plugin(NODE_LABEL=CONFIG_LABEL, DEFAULT_CONFIG="one"), [({"one", "two"}, "one")]),
        (plugin(NODE_LABEL="other"), []),
        (plugin(DEFAULT_CONFIG="one"), []),
        (plugin("Deployment", NODE_LABEL=CONFIG_LABEL), []),
        (plugin(mounted="absent", NODE_LABEL=CONFIG_LABEL), []),
        (plugin(mounted="empty", NODE_LABEL=CONFIG_LABEL), []),
        (plugin(mounted=None, NODE_LABEL=CONFIG_LABEL), []),
    ],
)
def test_the_configurations_that_a_daemon_set_gives_the_device_plugin(workload: Item, expected: list[Any]) -> None:
    elsewhere = item("ConfigMap", metadata={"name": "m", "namespace": "b"}, data={"three": ""})
    objects = all_of(workload, config_map("m", one="", two=""), config_map("empty"), elsewhere)
    assert [({*choice.names}, choice.default) for choice in choices(objects)] == expected


QUEUE, ADDED = "kueue.x-k8s.io/queue-name", {"operator": "Exists", "effect": "NoSchedule"}
OWN = {"key": "own", "operator": "Exists"}
DEFAULTS = "scheduler.alpha.kubernetes.io/defaultTolerations"


@for_each(
    ("spec", "labels", "expected"),
    [
        ({}, {}, []),
        ({"tolerations": [OWN, None]}, {}, [OWN]),
        ({"containers": [{"name": "a", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}, {},
         [{"key": "nvidia.com/gpu", **ADDED}]),
        ({"runtimeClassName": "nvidia", "tolerations": [OWN]}, {}, [OWN, {"key": "of-class"}]),
        ({"runtimeClassName": "other"}, {}, []),
        ({"tolerations": [OWN]}, {QUEUE: "gpus"}, [ANYTHING]),
    ],
)  # fmt: skip
def test_the_tolerations_of_a_pod(spec: Body, labels: Body, expected: list[Any]) -> None:
    def tolerated(*others: Item) -> list[Any]:
        meta = {"name": "x", "namespace": "a", "labels": labels}
        own = item("Pod", metadata=meta, spec={"containers": [{"name": "a"}], **spec})
        classes = item("RuntimeClass", apiVersion="node.k8s.io/v1", metadata={"name": "nvidia"},
                       scheduling={"tolerations": [{"key": "of-class"}]})  # fmt: skip
        objects = all_of(own, classes, *others)
        return tolerations_of(pods(objects)[0], objects)

    def space(name: str, **annotations: str) -> Item:
        return item("Namespace", metadata={"name": name, "annotations": annotations})

    assert tolerated() == tolerated(space("a")) == tolerated(space("b", **{DEFAULTS: "[]"})) == expected
    assert tolerated(space("a", **{DEFAULTS: "[]"})) == [ANYTHING]


def required(terms: Any) -> Body:
    """Required node affinity, as in the values of a chart."""
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


IN = {"key": "a", "operator": "In", "values": ["x"]}


@for_each(
    ("values", "readable"),
    [
        ({}, True),
        ({"affinity": required([{"matchExpressions": [IN]}])}, True),
        ({"affinity": required([{"matchExpressions": [IN, {"key": "b", "operator": "Exists"}]}, {}])}, True),
        ({"affinity": required([])}, True),
        ({"affinity": required(None)}, True),
        ({"affinity": {"nodeAffinity": None}}, True),
        ({"affinity": "text"}, False),
        ({"affinity": {"nodeAffinity": "text"}}, False),
        ({"affinity": required("text")}, False),
        ({"affinity": required(["text"])}, False),
        ({"affinity": required([{"matchExpressions": [IN]}, "text"])}, False),
        ({"affinity": required([{"matchExpressions": "text"}])}, False),
        ({"affinity": required([{"matchExpressions": ["text"]}])}, False),
        ({"affinity": required([{"matchExpressions": [{**IN, "key": 1}]}])}, False),
        ({"affinity": required([{"matchExpressions": [{**IN, "operator": None}]}])}, False),
        ({"affinity": required([{"matchExpressions": [{**IN, "values": "x"}]}])}, False),
        ({"nodeSelector": {"a": "x"}, "tolerations": [OWN]}, True),
        ({"nodeSelector": {"a": 1}}, False),
        ({"nodeSelector": "text"}, False),
        ({"tolerations": ["text"]}, False),
    ],
)
def test_where_a_daemon_of_a_chart_runs_is_not_known_from_values_of_another_shape(
    values: Body, *, readable: bool
) -> None:
    release = helm_release("nvidia-device-plugin", values=values)
    (daemon,) = daemons(all_of(release), "device-plugin")
    assert (daemon.pod is not None) is readable
