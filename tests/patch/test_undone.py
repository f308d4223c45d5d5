"""Patches that override a gitgpu setting: a warning at the line of the patch, and none if the setting is kept."""

from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic, Severity
from tests.patch.fleets import ID, Result, compiled, patches, under

RELEASE = {"kind": "HelmRelease", "name": "gpu-operator"}
PLUGIN = {"kind": "DaemonSet", "name": "nvidia-device-plugin"}
MINE = {"key": "karpenter.sh/nodepool", "operator": "In", "values": ["a100"]}


def pod(spec: Any) -> Any:
    """A patch of the pod template."""
    return {"spec": {"template": {"spec": spec}}}


def affinity(*terms: list[Any]) -> Any:
    """A required node affinity with these expressions in each term."""
    chosen = {"nodeSelectorTerms": [{"matchExpressions": term} for term in terms]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": chosen}}


def of_cluster(target: dict[str, str], *changes: Any, **how: str) -> Result:
    """The fleet with patches of its cluster."""
    return compiled(cluster=patches(*((target, change) for change in changes)), **how)


def undone(result: Result) -> list[Diagnostic]:
    """The findings about decisions."""
    return [finding for finding in result.findings if finding.code == "PAT008"]


def only(result: Result) -> Diagnostic:
    """The only finding about a decision."""
    [finding] = undone(result)
    return finding


@pytest.mark.parametrize(
    ("change", "pointer", "words"),
    [
        ({"spec": {"values": {"driver": {"enabled": False}}}}, "spec/values/driver/enabled", "stack.driver"),
        ({"spec": {"values": {"toolkit": {"enabled": False}}}}, "spec/values/toolkit/enabled", "stack.driver"),
        ({"spec": {"values": {"devicePlugin": {"enabled": False}}}}, "spec/values/devicePlugin/enabled", "allocation"),
        ({"spec": {"values": {"dcgmExporter": {"enabled": False}}}}, "spec/values/dcgmExporter/enabled", "exporter"),
        ({"spec": {"values": {"daemonsets": None}}}, "spec/values/daemonsets", "GpuPool.spec.taints"),
        ([{"op": "add", "path": "/spec/values/driver/enabled", "value": False}], "0/value", "stack.driver"),
        ([{"op": "remove", "path": "/spec/values/daemonsets"}], "0/path", "GpuPool.spec.taints"),
        ({"spec": {"chart": {"spec": {"version": "v25.10.0"}}}}, "spec/chart/spec/version", "stack.versions"),
    ],
)
def test_a_patch_of_a_release(change: Any, pointer: str, words: str) -> None:
    finding = only(of_cluster(RELEASE, change, driver="operator"))
    assert (finding.severity, finding.object.kind) == (Severity.WARNING, "Cluster")
    assert finding.pointer == f"/spec/patches/0/patch/{pointer}"
    assert "overrides a gitgpu setting" in finding.message
    assert words in finding.help


def test_a_patch_of_an_application() -> None:
    values = {"driver": {"enabled": False}}
    change = {"spec": {"source": {"helm": {"valuesObject": values}}}}
    finding = only(
        of_cluster({"kind": "Application", "name": ".*gpu-operator"}, change, driver="operator", engine="argocd")
    )
    assert finding.message.startswith("driver.enabled: false overrides a gitgpu setting")
    assert finding.help.startswith("remove this part of the patch, and use Cluster.spec.stack.driver or")


def test_what_values_undo_is_reported_at_the_values_alone() -> None:
    own = under("stack", {"values": {"gpu-operator": {"driver": {"enabled": False}}}})
    more = patches((RELEASE, {"spec": {"timeout": "30m"}}))
    assert compiled(cluster=f"{own}\n{more}", driver="operator").codes == ["VAL003"]
    again = patches((RELEASE, {"spec": {"values": {"driver": {"enabled": True}}}}))
    assert undone(compiled(cluster=f"{own}\n{again}", driver="operator")) == []


@pytest.mark.parametrize(
    "change",
    [
        {"spec": {"values": {"driver": {"enabled": True}}}},
        {"spec": {"values": {"operator": {"logging": {"develMode": True}}}}},
        {"spec": {"values": {"daemonsets": {"labels": {"team": "ml"}}}}},
        {"spec": {"timeout": "30m"}},
        [
            {"op": "move", "from": "/spec/values/daemonsets", "path": "/spec/values/other"},
            {"op": "move", "from": "/spec/values/other", "path": "/spec/values/daemonsets"},
        ],
    ],
)
def test_a_patch_of_a_release_that_keeps_the_decisions(change: Any) -> None:
    assert undone(of_cluster(RELEASE, change, driver="operator")) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (pod({"affinity": None}), "karpenter.sh/nodepool"),
        (pod({"affinity": affinity([{"key": "a", "operator": "Exists"}])}), "karpenter.sh/nodepool"),
        (pod({"affinity": affinity([MINE], [{"key": "a", "operator": "Exists"}])}), "karpenter.sh/nodepool"),
        ([{"op": "remove", "path": "/spec/template/spec/affinity"}], "karpenter.sh/nodepool"),
        (pod({"priorityClassName": None}), "priority class"),
    ],
)
def test_a_patch_of_a_daemon(change: Any, words: str) -> None:
    finding = only(by_name(change))
    assert words in finding.message
    assert "DaemonSet nvidia-device-plugin" in finding.message


def by_name(change: Any) -> Result:
    """The result of a patch of the device plugin, which selects nodes by the names of pools."""
    own = under("stack", {"nodeSelection": "pools"})
    return compiled(cluster=f"{own}\n{patches((PLUGIN, change))}")


def test_a_patch_of_a_daemon_that_selects_nodes_by_labels() -> None:
    finding = only(of_cluster(PLUGIN, pod({"affinity": None})))
    assert (
        "its pods run only on nodes that the label kubernetes.azure.com/dcgm-exporter selects, and 2 more"
        in finding.message
    )


@pytest.mark.parametrize(
    "change",
    [
        pod({"affinity": affinity([MINE, {"key": "a", "operator": "Exists"}])}),
        pod({"affinity": None, "nodeSelector": {"karpenter.sh/nodepool": "a100"}}),
        pod({"priorityClassName": "gpu-agents"}),
        pod({"nodeSelector": {"a": "b"}}),
        pod({"containers": [{"name": "nvidia-device-plugin", "resources": {"limits": {"memory": "1Gi"}}}]}),
    ],
)
def test_a_patch_of_a_daemon_that_keeps_the_decisions(change: Any) -> None:
    assert undone(by_name(change)) == []


@pytest.mark.parametrize(
    ("limits", "pointer"),
    [(None, "limits"), ({"nvidia.com/gpu": None}, "limits/nvidia.com~1gpu"), ({"nvidia.com/gpu": "2"}, None)],
)
def test_a_patch_that_changes_the_gpus_of_a_workload(limits: Any, pointer: str | None) -> None:
    change = pod({"containers": [{"name": "chat", "resources": {"limits": limits}}]})
    finding = only(compiled(workload=patches(({"kind": "Deployment"}, change))))
    assert finding.help == "remove this part of the patch, and use GpuWorkload.spec.gpus to change this"
    assert pointer is None or finding.pointer.endswith(f"/resources/{pointer}")


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ([{"op": "remove", "path": "/spec/template/spec/requirements/0"}], "GpuPool.spec.nodeRequirements"),
        ({"spec": {"template": {"metadata": {"labels": None}}}}, "GpuPool.spec.operatorOptOut"),
        ({"metadata": {"annotations": None}}, ""),
    ],
)
def test_a_patch_of_a_node_pool(change: Any, key: str) -> None:
    [first, *_] = undone(compiled(pool=patches(({"kind": "NodePool"}, change))))
    assert first.object.kind == "GpuPool"
    assert key in first.help


def test_a_patch_that_turns_the_driver_off() -> None:
    finding = only(compiled(pool=patches(({"kind": "AKSNodeClass"}, {"spec": {"gpu": {"mode": "None"}}}))))
    assert "the GPU mode of its nodes is Driver" in finding.message
    cluster = f"  provisioner: cluster-autoscaler\n  resourceId: {ID}/managedClusters/prod"
    change = {"spec": {"gpuProfile": {"driver": "None"}}}
    finding = only(compiled(cluster=cluster, pool=patches(({"kind": "ManagedClustersAgentPool"}, change))))
    assert "the driver of its nodes is Install" in finding.message


def test_without_the_part_that_it_names_the_fleet_is_clean() -> None:
    both = {"spec": {"template": {"spec": {"priorityClassName": None, "hostNetwork": True}}}}
    finding = only(of_cluster(PLUGIN, both))
    assert finding.help == "remove this part of the patch, or add that setting to it"
    assert of_cluster(PLUGIN, pod({"hostNetwork": True})).codes == compiled().codes


@pytest.mark.parametrize("odd", [[], "a", 3, True, {"a": []}, [1, None], [{}]])
def test_patched_objects_of_any_shape(odd: Any) -> None:
    changes: list[tuple[dict[str, str], Any]] = [
        (PLUGIN, pod(odd)),
        *((PLUGIN, pod({key: odd})) for key in ("affinity", "nodeSelector", "containers", "resourceClaims")),
        (PLUGIN, pod({"containers": [{"name": "nvidia-device-plugin", "resources": odd}]})),
        ({"kind": "NodePool"}, pod({"requirements": odd})),
        ({"kind": "NodePool"}, {"spec": {"template": {"metadata": odd}}}),
        ({"kind": "HelmRelease"}, {"spec": {"values": odd}}),
    ]
    for target, change in changes:
        of_cluster(target, change)


def test_a_misspelled_container_is_an_error() -> None:
    result = of_cluster(PLUGIN, pod({"containers": [{"name": "nvidia-device-plugn", "resources": {}}]}))
    [finding] = [finding for finding in result.findings if finding.code == "PAT009"]
    assert (finding.severity, finding.help) == (Severity.ERROR, "set name: nvidia-device-plugin")
    assert finding.pointer == "/spec/patches/0/patch/spec/template/spec/containers/0"
    sidecar = {"name": "sidecar", "image": "contoso.azurecr.io/sidecar:1.0"}
    assert "PAT009" not in of_cluster(PLUGIN, pod({"containers": [sidecar]})).codes


def test_a_container_without_name_and_image_is_an_error() -> None:
    nameless = {"op": "add", "path": "/spec/template/spec/containers/-", "value": {"args": ["--verbose"]}}
    [finding] = [finding for finding in of_cluster(PLUGIN, [nameless]).findings if finding.code == "PAT009"]
    assert finding.message == "the patch adds a container that has neither a name nor an image"
    assert (
        finding.help
        == "add name and image, or use the name of an existing container: nvidia-device-plugin, config-manager"
    )


LABEL = {"op": "add", "path": "/metadata/labels/team", "value": "ml"}


def test_a_finding_about_operations_is_at_the_operation_that_causes_it() -> None:
    version = {"op": "replace", "path": "/spec/chart/spec/version", "value": "v25.10.0"}
    result = of_cluster(RELEASE, [LABEL, version], driver="operator")
    assert only(result).pointer == "/spec/patches/0/patch/1/value"
    sidecar = {"op": "add", "path": "/spec/template/spec/containers/-", "value": {"name": "sidecar"}}
    result = of_cluster(PLUGIN, [LABEL, sidecar])
    assert [finding.pointer for finding in result.findings if finding.code == "PAT009"] == [
        "/spec/patches/0/patch/1/value"
    ]


def test_an_error_elsewhere_is_at_the_only_patch() -> None:
    volumes = [{"op": "remove", "path": "/spec/template/spec/volumes"}]
    result = of_cluster({"kind": "DaemonSet", "name": "dcgm-exporter-profiling"}, volumes)
    assert {finding.code for finding in result.findings} == {"NAM005"}
    [spec] = result.made.checked.texts
    lines = {spec.content.splitlines()[finding.span.line - 1].strip() for finding in result.findings}
    assert lines == {"- target:"}


def test_one_place_and_one_remedy_is_one_finding() -> None:
    diagnostics = undone(of_cluster(RELEASE, {"spec": {"values": {"dcgmExporter": None}}}, driver="operator"))
    assert len({(finding.pointer, finding.help) for finding in diagnostics}) == len(diagnostics)
    counters = next(finding for finding in diagnostics if "metrics.counters" in finding.help)
    assert counters.message.endswith("which counters are exported, and 2 more")
