"""What several rules read in objects: values of charts, what Applications apply, what monitors see."""

from typing import Any

import pytest

from gitgpu.conform.gitops.applications import applies, heals, reaches
from gitgpu.conform.gitops.layered_values import has_value, is_for_author, merged_values, without_actions
from gitgpu.conform.gitops.releases import releases_of
from gitgpu.conform.monitoring.monitors import Endpoint
from gitgpu.conform.objects import Delivered, Given, Item, identity
from gitgpu.conform.schema.contract import Scope
from gitgpu.conform.workload.label_selectors import label_faults
from gitgpu.source import SourceMap, Span

Body = dict[str, Any]


def item(kind: str, file: str = "a.yaml", **body: Any) -> Item:
    """An object in a file."""
    whole = {"apiVersion": "v1", "kind": kind, "metadata": {"name": "x", "namespace": "a"}, **body}
    return Item(Given(whole, SourceMap.of(Span(file, 1, 1))), identity(whole), Scope.NAMESPACED)


@pytest.mark.parametrize(
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
    assert merged_values(default, given) == merged


def test_values_without_what_an_application_set_fills_in() -> None:
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


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ((), True),
        (("a",), True),
        (("a", "b"), True),
        (("a", "x"), False),
        (("a", "b", "c"), False),
        (("list", 0), True),
        (("list", 1, "d"), True),
        (("list", 2), False),
        (("list", "d"), False),
        (("a", 0), False),
        (("null",), True),
    ],
)
def test_whether_a_value_is_written(path: tuple[str | int, ...], *, found: bool) -> None:
    assert has_value({"a": {"b": 1}, "list": [0, {"d": 1}], "null": None}, path) is found


@pytest.mark.parametrize(
    ("key", "found"),
    [("x-common", True), ("_shared", True), (".base", True), ("gpuAnchors", True), ("anchor", True), ("xyz", False),
     ("a.b", False), ("a_b", False), ("ax-", False)],
)  # fmt: skip
def test_keys_that_are_there_for_authors(key: str, *, found: bool) -> None:
    assert is_for_author(key) is found


@pytest.mark.parametrize(
    ("policy", "found"),
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
def test_applications_that_undo_changes(policy: Any, *, found: bool) -> None:
    assert heals({"syncPolicy": policy}) is found


@pytest.mark.parametrize(
    ("spec", "file", "found"),
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
def test_what_an_application_applies(spec: Body, file: str, found: tuple[bool, bool]) -> None:
    application, applied = item("Application", spec=spec), item("Deployment", file)
    assert (reaches(application, spec, applied), applies(application, spec, applied)) == found


def test_what_is_delivered_is_applied_by_who_delivers_it() -> None:
    application = item("Application")
    applied = item("Deployment")._replace(delivered=Delivered("Application/a/x", {}))
    assert applies(application, {}, applied)
    assert not applies(application, {"source": {"path": "."}}, applied._replace(delivered=Delivered("other", {})))
    assert not applies(application, {"source": {"kustomize": {"replicas": []}}}, applied)


def releases(kind: str = "Application", destination: Body | None = None, **source: Any) -> list[tuple[Any, ...]]:
    """The releases of one source: chart, version, namespace, cluster, values, and whether these are all."""
    spec = {"destination": destination or {"namespace": "gpu"}, "source": {"targetRevision": "1.0", **source}}
    own = item(kind, spec=spec)
    found = releases_of(own, spec, ("spec",))
    return [(each.chart, each.version, each.namespace, each.cluster, each.values, each.whole) for each in found]


SET = "ApplicationSet"


@pytest.mark.parametrize(
    ("kind", "source", "found"),
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
def test_the_releases_of_an_application(kind: str, source: Body, found: list[tuple[Any, ...]]) -> None:
    assert releases(kind, **source) == found


@pytest.mark.parametrize(
    ("destination", "namespace", "cluster"),
    [
        ({"namespace": "gpu", "server": "https://kubernetes.default.svc"}, "gpu", ""),
        ({"namespace": "gpu", "name": "in-cluster"}, "gpu", ""),
        ({"server": "https://other:6443"}, "", "https://other:6443"),
        ({"namespace": "gpu", "name": "other"}, "gpu", "other"),
    ],
)
def test_the_cluster_of_an_application(destination: Body, namespace: str, cluster: str) -> None:
    ((_, _, found, where, _, _),) = releases(destination=destination, chart="keda")
    assert (found, where) == (namespace, cluster)


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
def test_whether_the_labels_of_an_exporter_stay(body: Body, *, honors: bool) -> None:
    assert Endpoint(item("ServiceMonitor"), (), body).honors is honors


@pytest.mark.parametrize(
    ("key", "value", "found"),
    [
        ("app", "x", []),
        ("app", None, []),
        ("app", "a b", ["'a b' is not a valid label value"]),
        ("a b", "a b", ["'a b' is not a valid label key"]),
    ],
)
def test_a_label_that_a_pod_asks_for(key: str, value: str | None, found: list[str]) -> None:
    assert [fault.message for fault in label_faults(("x",), key, value)] == found
