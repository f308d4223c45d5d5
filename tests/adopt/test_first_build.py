"""The second verdict of an import: what the first build changes about the software of running nodes."""

import json
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest
import yaml

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.adopt.compiled import output_of
from gitgpu.adopt.first_build import software_changes
from gitgpu.adopt.first_build.software_change import Effect, SoftwareChange
from gitgpu.diagnostic import Severity
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.report.findings import Style
from gitgpu.report.import_formats import render_import
from gitgpu.runs.import_ import Imported, import_fleet
from gitgpu.runs.import_check import check_running_clusters
from tests.adopt import test_replaced as replaced
from tests.adopt.clusters import built
from tests.adopt.inventories import inventory
from tests.adopt.test_kept_values import node_pool
from tests.emit.fleets import cluster, fleet, inputs_of, pool
from tests.helping.cases import for_each

UNLABELLED = replaced.NODES.replace('    metadata: {labels: {nvidia.com/gpu.deploy.operands: "false"}}\n', "")
NODES = UNLABELLED.replace("256}", "256, gpu: {mode: MODE}}").replace("key: sku", "key: TAINT")
PLUGIN = replaced.PLUGIN.replace("PLUGIN", "nvidia-device-plugin-daemonset").replace("v0.20.0", "v0.18.2")
SCALED = """
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec:
  replicas: 1
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      tolerations: [{key: sku, operator: Exists}]
      nodeSelector: {karpenter.sh/nodepool: a100}
      containers: [{name: vllm, image: "vllm/vllm-openai:v0.9.0", resources: {limits: {nvidia.com/gpu: 1}}}]
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  minReplicaCount: 1
  maxReplicaCount: 4
  triggers:
  - type: prometheus
    metadata: {serverAddress: "http://prom:9090", query: "sum(vllm:num_requests_waiting)", threshold: "5"}
"""
OPTIONS = ClusterOptions(region="swedencentral")


def nodes(mode: str = "Driver", taint: str = "sku") -> str:
    """A NodePool with its node class."""
    return NODES.replace("MODE", mode).replace("TAINT", taint)


def helm_release(chart: str, version: str, values: Any) -> str:
    """A HelmRelease."""
    source = {"kind": "HelmRepository", "name": chart}
    spec = {"chart": {"spec": {"chart": chart, "version": version, "sourceRef": source}}, "values": values}
    meta = {"name": chart, "namespace": chart}
    body = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": meta, "spec": spec}
    return f"\n---\n{yaml.safe_dump(body)}"


def imported(text: str) -> Imported:
    """The import of a cluster with these objects."""
    return import_fleet(inventory({"prod": text}), OPTIONS, (), "fleet")


def of(made: Imported, title: str) -> list[SoftwareChange]:
    """The changes of one object."""
    return [change for change in made.software if change.title.endswith(title)]


def test_a_plugin_that_is_replaced() -> None:
    made = imported(nodes() + PLUGIN)
    [change] = of(made, "nvidia-device-plugin-daemonset")
    assert (change.effect, change.pools, change.certain) == (Effect.REPLACED, ("a100",), True)
    assert "v0.18.2" in made.files["clusters/prod/cluster.yaml"]
    assert change.avoid.startswith("stack.driver: aks-only")


def test_nothing_about_the_software_was_read() -> None:
    """Then nobody knows what runs: a plugin under a different name would run twice."""
    made = imported(nodes())
    assert made.software
    assert not any(change.certain for change in made.software)
    assert made.report().software_of(made.verdicts[0]) == "unknown"


def test_an_operator_without_its_driver_stays_as_it_is() -> None:
    values = {"driver": {"enabled": False}}
    made = imported(nodes(taint="nvidia.com/gpu") + helm_release("gpu-operator", "v26.7.0", values))
    assert made.software == ()
    assert made.report().software_of(made.verdicts[0]) == "keep"


@pytest.mark.parametrize("version", ["v25.10.1", "v26.7.0"])
def test_no_operand_restarts(version: str) -> None:
    made = imported(nodes("None", "nvidia.com/gpu") + helm_release("gpu-operator", version, {}))
    assert not [change for change in made.software if change.effect is Effect.RESTARTS]


@pytest.mark.parametrize(("chart", "stack"), [("gpu-operator", ("driver", "none")), ("keda", ("keda", "none"))])
def test_a_version_that_the_catalog_lacks_is_never_upgraded(chart: str, stack: tuple[str, str]) -> None:
    made = imported(nodes("None", "nvidia.com/gpu") + helm_release(chart, "v2.9.0", {}))
    document = next(entry.document for entry in made.adopted.documents if entry.document.kind == "Cluster")
    key, value = stack
    assert document.spec["stack"][key] == value
    assert not of(made, chart)
    assert all(verdict.keeps_nodes for verdict in made.verdicts)
    [left] = [outcome for outcome in made.adopted.outcomes if outcome.fate is Fate.LEFT]
    assert f"releases/{chart}-v2.9.0.yaml" in left.reason


def test_workloads_are_scaled_by_a_keda_that_stays_with_its_owner() -> None:
    made = imported(nodes() + PLUGIN + SCALED + helm_release("keda", "2.9.0", {}))
    assert made.adopted.documents[-1].document.kind == "GpuWorkload"
    assert "ignore[SCL004]" in "".join(made.files.values())
    assert not [finding for finding in made.checked.diagnostics if finding.severity is Severity.ERROR]
    assert not of(made, "chat")  # written out defaults are no change


def test_a_chart_of_which_only_objects_are_known() -> None:
    deployment = """
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: keda-operator, namespace: keda, labels: {helm.sh/chart: keda-2.19.0}}
spec:
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: "ghcr.io/kedacore/keda:2.19.0"}]}}
"""
    made = imported(nodes() + PLUGIN + deployment)
    [change] = of(made, "keda-operator")
    assert not change.certain
    assert "--values keda=FILE" in change.reason


def test_the_lines_that_avoid_changes_do_so() -> None:
    """Without the values that the import has kept."""
    made = imported(nodes("None", "nvidia.com/gpu") + helm_release("gpu-operator", "v26.7.0", {}))
    document = next(entry.document for entry in made.adopted.documents if entry.document.kind == "Cluster")
    inputs = made.checked.inputs
    assert inputs
    [cluster] = inputs.clusters
    [running] = made.inventory.clusters
    changes = [*software_changes(running, output_of(inputs, cluster._replace(values=())))]
    assert {part for change in changes for part in change.parts} >= {"DCGM exporter", "container toolkit"}
    values: dict[str, Any] = {}
    for change in changes:
        path, _, value = change.avoid.partition(": ")
        patch: Any = json.loads(value)
        for key in reversed(path.removeprefix("stack.values.").split(".")):
            patch = {key: patch}
        values = _merged(values, patch)
    layer = cluster.values[0]._replace(values=values)
    assert [*software_changes(running, output_of(inputs, cluster._replace(values=(layer,))))] == []
    assert document.spec["stack"]


def _merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Two layers of values as one; null stays, because it removes a value."""
    merged = dict(deepcopy(first))
    for key, value in second.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], value) if both else value
    return merged


def live(body: Mapping[str, Any]) -> dict[str, Any]:
    """A DaemonSet as a server prints it, with its defaults."""
    stored: dict[str, Any] = deepcopy(dict(body))
    pod = stored["spec"]["template"]["spec"]
    pod |= {"dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler"}
    pod |= {"securityContext": {}, "terminationGracePeriodSeconds": 30}
    if "serviceAccountName" in pod:
        pod["serviceAccount"] = pod["serviceAccountName"]
    for container in (*pod["containers"], *pod.get("initContainers", ())):
        container["terminationMessagePath"] = "/dev/termination-log"
        container["terminationMessagePolicy"] = "File"
        container["imagePullPolicy"] = "IfNotPresent"
        container.setdefault("resources", {})
        for variable in container.get("env", ()):
            if "fieldRef" in variable.get("valueFrom", {}):
                variable["valueFrom"]["fieldRef"]["apiVersion"] = "v1"
    for volume in pod.get("volumes", ()):
        if "hostPath" in volume:
            volume["hostPath"].setdefault("type", "")
        if "configMap" in volume:
            volume["configMap"]["defaultMode"] = 420
    stored["spec"]["revisionHistoryLimit"] = 10
    stored["spec"]["template"]["metadata"]["creationTimestamp"] = None
    return stored


def test_what_a_build_has_written_does_not_change() -> None:
    """Applied, and read from the server with its defaults: the next build changes nothing."""
    made = imported(nodes() + PLUGIN)
    inputs = made.checked.inputs
    assert inputs
    [cluster] = inputs.clusters
    running = built(inputs, cluster)
    objects = [
        observed._replace(body=live(observed.body)) if observed.body["kind"] == "DaemonSet" else observed
        for observed in running.objects
    ]
    assert any(observed.body["kind"] == "DaemonSet" for observed in objects)
    again = running._replace(objects=tuple(objects))
    assert [*software_changes(again, output_of(inputs, cluster))] == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"hostNetwork": True}, "spec.template.spec.hostNetwork"),
        ({"dnsPolicy": "Default"}, "spec.template.spec.dnsPolicy"),
    ],
)
def test_a_pod_template_that_changes(change: Mapping[str, Any], field: str) -> None:
    made = imported(nodes() + PLUGIN)
    inputs = made.checked.inputs
    assert inputs
    [cluster] = inputs.clusters
    running = built(inputs, cluster)
    objects = []
    for observed in running.objects:
        body = dict(observed.body)
        if body["kind"] == "DaemonSet" and body["metadata"]["name"].startswith("nvidia-device-plugin"):
            body = merge_patch(live(body), {"spec": {"template": {"spec": change}}})
        objects.append(observed._replace(body=body))
    [restart] = software_changes(running._replace(objects=tuple(objects)), output_of(inputs, cluster))
    assert (restart.effect, restart.pools) == (Effect.RESTARTS, ("a100",))
    assert field in restart.reason


def test_a_check_compares_software_too() -> None:
    made = imported(nodes() + PLUGIN)
    report = check_running_clusters(inventory({"prod": nodes() + PLUGIN}), OPTIONS, made.checked)
    assert report.software == made.software


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_nodes_stay_is_never_printed_alone(form: str) -> None:
    text = render_import(imported(nodes() + PLUGIN).report(), form, Style(colour=False))
    if form == "json":
        content = json.loads(text)
        assert [pool["software"] for pool in content["pools"]] == ["change"]
        assert {change["effect"] for change in content["software"]} >= {"replace"}
    else:
        headline = text.splitlines()[0]
        assert "no node is replaced" in headline
        assert "; software changes on 1" in headline
        assert "nvidia-device-plugin-daemonset is replaced" in text or "daemonset: is replaced" in text


def test_the_daemon_set_of_a_single_pool_is_avoided_as_that_of_several() -> None:
    inputs = inputs_of(fleet(), cluster(stack={"health": "npd", "nodeSelection": "labels"}), pool("t4", driver="none"))
    [own] = inputs.clusters
    running = built(inputs, own)
    without = [observed for observed in running.objects if observed.body["kind"] != "DaemonSet"]
    [start] = software_changes(running._replace(objects=tuple(without)), output_of(inputs, own))
    assert start.title == "DaemonSet/gpu-resources/gpu-problem-detector-pool-t4"
    assert (start.pools, start.avoid) == (("t4",), "stack.health: none")


OPTED_OUT = "nvidia.com/gpu.deploy.operands"


@pytest.mark.parametrize("labelled", [True, False])
def test_what_the_pools_get_if_the_plugin_runs_on_some(labelled: bool) -> None:
    """Whether gitgpu's selects their nodes by a label or by name: it replaces the old one, and starts on the others."""
    node_labels = {OPTED_OUT: "false"} if labelled else {}
    new_os = {"osSKU": "Ubuntu2404"}  # newer than the schema of some versions of the operator
    pools = [
        node_pool(azureName=name, nodeLabels=node_labels, **more).replace("name: gpu\n", f"name: {name}\n")
        for name, more in (("one", {}), ("two", {}), ("new", new_os))
    ]
    plugin = yaml.safe_load(PLUGIN.removeprefix("\n---\n"))
    plugin["spec"]["template"]["spec"]["nodeSelector"] = {"agentpool": "one"}
    made = imported("\n---\n".join([*pools, yaml.safe_dump(plugin)]))
    effects = sorted((pool, change.effect) for change in made.software for pool in change.pools)
    assert effects == [("new", Effect.STARTS), ("one", Effect.REPLACED), ("two", Effect.STARTS)]
    assert [made.report().software_of(verdict) for verdict in made.verdicts] == ["change"] * 3


def test_each_of_several_plugins_is_replaced_on_its_pool() -> None:
    pools = [node_pool(azureName=name).replace("name: gpu\n", f"name: {name}\n") for name in ("one", "two")]
    plugins = [yaml.safe_load(PLUGIN.removeprefix("\n---\n")) for _ in pools]
    for plugin, name in zip(plugins, ("one", "two"), strict=True):
        plugin["metadata"]["name"] = f"plugin-{name}"
        plugin["spec"]["template"]["spec"]["nodeSelector"] = {"kubernetes.azure.com/agentpool": name}
    made = imported("\n---\n".join([*pools, *map(yaml.safe_dump, plugins)]))
    assert {(change.title.rpartition("/")[2], change.effect, change.pools) for change in made.software} == {
        ("plugin-one", Effect.REPLACED, ("one",)),
        ("plugin-two", Effect.REPLACED, ("two",)),
    }


@pytest.mark.parametrize("chart", ["gpu-operator", "network-operator", "keda"])
def test_the_discovery_inside_an_operator_stays_there(chart: str) -> None:
    """With the default, it would become a release of its own, and its labels could vanish meanwhile."""
    version = {"gpu-operator": "v26.3.3", "network-operator": "26.1.2", "keda": "2.19.0"}[chart]
    image = {"repository": "nvcr.io/nvidia/mellanox", "image": "k8s-rdma-shared-dev-plugin"}
    nics = {
        "apiVersion": "mellanox.com/v1alpha1",
        "kind": "NicClusterPolicy",
        "metadata": {"name": "nic-cluster-policy"},
        "spec": {"rdmaSharedDevicePlugin": {**image, "version": "network-operator-v26.1.2", "config": NICS}},
    }
    more = f"\n---\n{yaml.safe_dump(nics)}" if chart == "network-operator" else ""
    pools = nodes("None", "nvidia.com/gpu")
    if chart == "network-operator":
        pools = node_pool(vmSize="Standard_ND96isr_H100_v5", gpuProfile={"driver": "None"})
    made = imported(pools + helm_release(chart, version, {}) + more)
    assert made.checked.inputs
    assert made.checked.inputs.clusters[0].stack.node_selection == ("labels" if chart == "keda" else "pools")
    assert "chart node-feature-discovery" not in [change.title for change in made.software]


NICS = '{"configList": [{"resourceName": "shared_ib", "rdmaHcaMax": 63, "selectors": {"vendors": ["15b3"]}}]}'


@for_each(
    ("others", "version", "command"),
    [
        (("v25.10.1",), "v25.10.1", "helm uninstall gpu --namespace gpu-operator"),
        (("v25.10.1", "v25.10.1"), "v25.10.1", "helm uninstall gpu --namespace gpu-operator"),
        (("v25.10.1", "v26.3.3"), "v25.10.1", "helm uninstall RELEASE --namespace NAMESPACE"),
        ((), "", "helm uninstall RELEASE --namespace NAMESPACE"),
    ],
)
def test_values_that_were_passed_belong_to_what_the_chart_installed(
    others: tuple[str, ...], version: str, command: str
) -> None:
    """Without its version, the first build would upgrade the operator."""
    own = {"apiVersion": "gitgpu.dev/v1alpha1", "kind": "HelmValues", "metadata": {"name": "passed"}}
    values = {**own, "chart": "gpu-operator", "values": {}}
    notes = {"meta.helm.sh/release-name": "gpu", "meta.helm.sh/release-namespace": "gpu-operator"}
    installed = [
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {
                "name": f"gpu-operator-{number}",
                "namespace": "gpu-operator",
                "labels": {"helm.sh/chart": f"gpu-operator-{label}"},
                "annotations": notes,
            },
        }
        for number, label in enumerate(others)
    ]
    pools = nodes("None", "nvidia.com/gpu")
    made = imported("\n---\n".join([pools, *map(yaml.safe_dump, (values, *installed))]))
    assert made.checked.inputs
    pins = made.checked.inputs.clusters[0].stack.versions
    assert dict(pins).get("gpu-operator", "") == version
    steps = [step for entry in made.replaced for step in entry.steps]
    assert any(command in step for step in steps)


@pytest.mark.parametrize(("value", "runs"), [("false", False), ("false", True), ("true", True)])
def test_a_check_names_pools_outside_the_fleet_whose_nodes_are_selected(value: str, runs: bool) -> None:
    """A fleet that was written by hand is compared with a cluster that has a labelled pool of another owner."""
    own = nodes().replace("template:\n", f'template:\n    metadata: {{labels: {{{OPTED_OUT}: "false"}}}}\n')
    other = own.partition("---\n")[2].replace("name: a100", "name: ws").replace('"false"', f'"{value}"')
    text = f"{own}---\n{other}{PLUGIN if runs else ''}"
    report = check_running_clusters(inventory({"prod": text}), OPTIONS, imported(own).checked)
    starts = {each.title: each for each in report.software if "outside the fleet" in each.reason}
    if value == "true":
        assert not starts
        return
    plugin = starts["DaemonSet/gpu-resources/nvidia-device-plugin"]
    words = "its label also selects the nodes of NodePool/ws, outside the fleet"
    there = ", where DaemonSet/nvidia-device-plugin-daemonset does the same already"
    assert plugin.reason == words + (there if runs else "")
    assert (plugin.effect, plugin.avoid) == (Effect.STARTS, "stack.nodeSelection: pools")


def test_nodes_that_daemon_sets_of_gitgpu_select_already_are_not_named() -> None:
    inputs = inputs_of(fleet(), cluster(), pool("t4"), pool("other"))
    of_one = inputs_of(fleet(), cluster(), pool("t4"))
    running = built(inputs, inputs.clusters[0])
    changes = list(software_changes(running, output_of(of_one, of_one.clusters[0])))
    assert not [each for each in changes if "outside the fleet" in each.reason]
