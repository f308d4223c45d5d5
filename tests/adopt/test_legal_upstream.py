"""Settings that Azure and Kubernetes allow but a spec cannot express: the owner keeps them, and no node is lost."""

import json
from pathlib import Path
from typing import Any

import pytest

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.cli.import_.inventory import read_clusters
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import catalog
from gitgpu.runs.import_ import Imported, import_fleet

CLUSTER = (
    "/subscriptions/00000000-0000-0000-0000-000000000000/resourcegroups/rg/providers"
    "/Microsoft.ContainerService/managedClusters/prod"
)
PROD = ClusterOptions("prod", "swedencentral")


def az_pool(**changed: Any) -> dict[str, Any]:
    """A pool in the shape of `az aks nodepool list -o json`, with the defaults that it prints."""
    return {
        "count": 1,
        "enableAutoScaling": False,
        "enableFips": False,
        "id": f"{CLUSTER}/agentPools/gpu",
        "kubeletDiskType": "OS",
        "maxPods": 110,
        "mode": "User",
        "name": "gpu",
        "nodeTaints": ["sku=gpu:NoSchedule"],
        "osDiskSizeGb": 128,
        "osDiskType": "Managed",
        "osSku": "Ubuntu",
        "osType": "Linux",
        "powerState": {"code": "Running"},
        "provisioningState": "Succeeded",
        "type": "Microsoft.ContainerService/managedClusters/agentPools",
        "typePropertiesType": "VirtualMachineScaleSets",
        "vmSize": "Standard_NC4as_T4_v3",
        "workloadRuntime": "OCIContainer",
        **changed,
    }


def imported(folder: Path, *documents: Any) -> Imported:
    """Imports documents from JSON files."""
    for number, document in enumerate(documents):
        text = document if isinstance(document, str) else json.dumps(document, indent=1)
        (folder / f"{number}.json").write_text(text, encoding="utf-8")
    return import_fleet(read_clusters([str(folder)], PROD, (), catalog(())).inventory, PROD, (), "fleet")


def whole(made: Imported) -> list[tuple[Fate, str]]:
    """The outcomes of complete objects, without inferences."""
    return [
        (each.fate, each.reason) for each in made.adopted.outcomes if not each.pointer and each.fate != Fate.INFERRED
    ]


def lost(made: Imported) -> list[tuple[Fate, str]]:
    """The outcomes about GPUs that are not in the fleet."""
    outcomes = (each for each in made.adopted.outcomes if each.fate in (Fate.INEXPRESSIBLE, Fate.WRONG))
    return [(each.fate, each.reason) for each in outcomes]


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        ({"osSku": "Flatcar"}, "'Flatcar'"),
        ({"osType": "Windows", "osSku": "WindowsAnnual"}, "'WindowsAnnual'"),
        ({"workloadRuntime": "KataMshvVmIsolation"}, "'KataMshvVmIsolation'"),
        ({"workloadRuntime": "WasmWasi"}, "spec.workloadRuntime"),
        ({"typePropertiesType": "AvailabilitySet"}, "spec.type"),
    ],
    ids=str,
)
def test_a_pool_with_a_value_that_no_key_expresses_is_not_adopted(
    tmp_path: Path, changed: dict[str, Any], part: str
) -> None:
    made = imported(tmp_path, [az_pool(**changed)])
    assert [fate for fate, _ in lost(made)] == [Fate.INEXPRESSIBLE]
    assert part in lost(made)[0][1]
    assert made.verdicts == ()
    assert not any("GpuPool" in text for text in made.files.values())


def test_a_live_object_with_a_newer_value_is_not_invalid(tmp_path: Path) -> None:
    node_class = {
        "apiVersion": "karpenter.azure.com/v1beta1",
        "kind": "AKSNodeClass",
        "metadata": {"name": "gpu", "uid": "1", "resourceVersion": "2"},
        "spec": {"imageFamily": "Flatcar"},
    }
    requirement = {"key": "karpenter.azure.com/sku-name", "operator": "In", "values": ["Standard_NC4as_T4_v3"]}
    reference = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"}
    pool = {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "gpu", "uid": "3", "resourceVersion": "4"},
        "spec": {"template": {"spec": {"nodeClassRef": reference, "requirements": [requirement]}}},
    }
    live = imported(tmp_path, {"apiVersion": "v1", "kind": "List", "items": [node_class, pool]})
    assert {fate for fate, _ in lost(live)} == {Fate.INEXPRESSIBLE}
    assert all("'Flatcar'" in reason for _, reason in lost(live))


@pytest.mark.parametrize("size", ["Standard_NC999_B300_v9"])
@pytest.mark.parametrize(("scale", "listed"), [("manual", True), ("autoscale", True), ("autoscale", False)])
def test_a_pool_of_several_gpu_sizes_is_not_one_without_gpus(
    tmp_path: Path, size: str, scale: str, *, listed: bool
) -> None:
    """Until 2026-01-02-preview, one size at most was autoscaled, which was not in a list."""
    row = {"size": size, "count": 2}
    profile = {"scale": {"manual": None, "autoscale": None, scale: [row] if listed else row}}
    pool = az_pool(typePropertiesType="VirtualMachines", vmSize=None, virtualMachinesProfile=profile)
    ((fate, reason),) = lost(imported(tmp_path, [pool]))
    assert fate is Fate.INEXPRESSIBLE
    assert size in reason


SMALL, LARGE = "Standard_NC24ads_A100_v4", "Standard_NC48ads_A100_v4"


@pytest.mark.parametrize(
    ("scale", "first", "second", "kept"),
    [
        ("manual", {"count": 1}, {"count": 1}, True),
        ("autoscale", {"minCount": 0, "maxCount": 2}, {"minCount": 0, "maxCount": 2}, True),
        ("autoscale", {"minCount": 0, "maxCount": 2}, {"minCount": 1, "maxCount": 3}, True),
        ("manual", {"count": 1}, {"count": 3}, True),
        ("autoscale", {"count": 1}, {"count": None}, False),
    ],
)
def test_a_pool_of_several_sizes_is_adopted_if_all_their_numbers_of_nodes_are_known(
    tmp_path: Path, scale: str, first: dict[str, Any], second: dict[str, Any], *, kept: bool
) -> None:
    profile = {"scale": {scale: [{"size": SMALL, **first}, {"size": LARGE, **second}]}}
    unset = {"vmSize": None, "count": None, "minCount": None, "maxCount": None, "enableAutoScaling": False}
    pool = az_pool(typePropertiesType="VirtualMachines", virtualMachinesProfile=profile, **unset)
    made = imported(tmp_path, [pool])
    assert [each.keeps_nodes for each in made.verdicts] == [True] * kept
    assert bool(lost(made)) is not kept


def test_a_pool_of_several_sizes_without_gpus_has_no_gpus(tmp_path: Path) -> None:
    profile = {"scale": {"manual": [{"size": "Standard_D4ds_v5", "count": 2}]}}
    pool = az_pool(typePropertiesType="VirtualMachines", vmSize=None, virtualMachinesProfile=profile)
    assert whole(imported(tmp_path, [pool])) == [(Fate.LEFT, "nodes without a GPU, of size Standard_D4ds_v5")]


@pytest.mark.parametrize("field", [{"enableCustomCaTrust": False}, {"newThing": {"enabled": False, "mode": ""}}])
def test_a_field_without_effect_is_not_reported_as_lost(tmp_path: Path, field: dict[str, Any]) -> None:
    assert lost(imported(tmp_path, [az_pool(**field)])) == []


def test_a_message_of_the_day_is_written_as_text(tmp_path: Path) -> None:
    made = imported(tmp_path, [az_pool(messageOfTheDay="aGVsbG8K")])
    assert lost(made) == []
    assert [each.keeps_nodes for each in made.verdicts] == [True]
    assert 'messageOfTheDay: "hello\\n"' in "".join(made.files.values())


def test_what_aks_sets_by_itself_is_not_written(tmp_path: Path) -> None:
    pool = az_pool(
        upgradeSettings={"maxSurge": "10%", "maxUnavailable": "0", "undrainableNodeBehavior": None},
        securityProfile={"enableSecureBoot": False, "enableVtpm": False, "sshAccess": "LocalUser"},
    )
    made = imported(tmp_path, [pool])
    assert lost(made) == []
    assert "agentPool" not in "".join(made.files.values())


ASO_CLUSTER = """\
apiVersion: containerservice.azure.com/v1api20240901
kind: ManagedCluster
metadata: {name: aso, namespace: gpu-resources}
spec: {azureName: prod, location: swedencentral, kubernetesVersion: "1.34", owner: {name: rg}}
"""
ASO_POOL = """\
---
apiVersion: containerservice.azure.com/VERSION
kind: ManagedClustersAgentPool
metadata: {name: t4, namespace: gpu-resources}
spec: {owner: {name: aso}, vmSize: Standard_NC4as_T4_v3, mode: User, osType: Linux, count: 2}
"""


@pytest.mark.parametrize("version", ["v1api20250801", "v1api20240901", "v1api20231102preview"])
def test_a_pool_of_azure_service_operator_is_in_the_cluster_that_it_names(tmp_path: Path, version: str) -> None:
    (tmp_path / "aso.yaml").write_text(ASO_CLUSTER + ASO_POOL.replace("VERSION", version), encoding="utf-8")
    read = read_clusters([str(tmp_path)], ClusterOptions(), (), catalog(()))
    made = import_fleet(read.inventory, ClusterOptions(), (), "fleet")
    assert lost(made) == []
    assert [(each.cluster, each.change.name, each.keeps_nodes) for each in made.verdicts] == [("prod", "t4", True)]


def adopted(tmp_path: Path, text: str) -> Imported:
    """The fleet of what the text describes."""
    (tmp_path / "aso.yaml").write_text(text, encoding="utf-8")
    read = read_clusters([str(tmp_path)], ClusterOptions(), (), catalog(()))
    return import_fleet(read.inventory, ClusterOptions(), (), "fleet")


@pytest.mark.parametrize("version", ["v1api20250801", "v1api20240901", "v20251002preview", "v20260501"])
def test_pools_of_azure_service_operator_keep_their_namespace_and_version(tmp_path: Path, version: str) -> None:
    made = adopted(tmp_path, (ASO_CLUSTER + ASO_POOL.replace("VERSION", version)).replace("gpu-resources", "azure"))
    assert lost(made) == []
    assert [(each.change.name, each.keeps_nodes) for each in made.verdicts] == [("t4", True)]
    assert made.checked.inputs
    (cluster,) = made.checked.inputs.clusters
    assert (cluster.stack.aso.namespace, cluster.stack.aso.api_version) == ("azure", version)


def test_pools_outside_the_namespace_of_most_pools_are_not_adopted(tmp_path: Path) -> None:
    pool = (
        ASO_POOL.replace("VERSION", "v1api20250801")
        .replace("name: aso", f"armId: {CLUSTER}")
        .replace("groups", "Groups")
    )
    others = pool.replace("t4", "first").replace("gpu-resources", "azure")
    others += pool.replace("t4", "second").replace("gpu-resources", "azure")
    made = adopted(tmp_path, others + pool)
    assert [(fate, "namespace" in reason) for fate, reason in lost(made)] == [(Fate.INEXPRESSIBLE, True)]
    assert [each.change.name for each in made.verdicts] == ["first", "second"]


@pytest.mark.parametrize(
    ("changed", "family"),
    [
        ({"osSku": "Ubuntu2404"}, "Ubuntu2404"),
        ({"osSku": "Ubuntu2604"}, "Ubuntu2604"),
        ({"osSku": "AzureLinux3"}, "AzureLinux3"),
        ({"osSku": "CBLMariner"}, "CBLMariner"),
        ({"osSku": "AzureContainerLinux"}, "AzureContainerLinux"),
        ({"osType": "Windows", "osSku": "Windows2025"}, "Windows2025"),
    ],
    ids=str,
)
def test_a_pool_with_a_newer_os_is_adopted(tmp_path: Path, changed: dict[str, Any], family: str) -> None:
    made = imported(tmp_path, [az_pool(**changed)])
    assert lost(made) == []
    assert [each.keeps_nodes for each in made.verdicts] == [True]
    assert any(f"family: {family}" in text for text in made.files.values())


def test_the_namespace_of_a_cluster_scoped_object_has_no_effect(tmp_path: Path) -> None:
    """Kustomize sets the namespace of every custom resource, and the API server removes it."""
    pool, node_class = karpenter_pool("t4"), {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass"}
    pool["metadata"]["namespace"] = "team"
    pool["spec"]["template"]["spec"]["nodeClassRef"]["name"] = "t4"
    made = imported(tmp_path, pool, {**node_class, "metadata": {"name": "t4", "namespace": "team"}, "spec": {}})
    assert lost(made) == []
    assert [(each.change.name, each.keeps_nodes) for each in made.verdicts] == [("t4", True)]


def test_a_resource_id_that_nothing_names_is_asked_for(tmp_path: Path) -> None:
    pool = {key: value for key, value in az_pool().items() if key != "id"}
    made = imported(tmp_path, [pool])
    (finding,) = [each for each in made.checked.diagnostics if each.code == "AGP001"]
    assert finding.severity is Severity.ERROR
    assert "ignore[AGP001]" not in "".join(made.files.values())


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: nvdp, namespace: gpu}
spec:
  chart: {spec: {chart: nvidia-device-plugin, sourceRef: {kind: HelmRepository, name: nvidia}}}
"""


def test_a_release_without_an_interval_is_read(tmp_path: Path) -> None:
    (tmp_path / "release.yaml").write_text(RELEASE, encoding="utf-8")
    made = imported(tmp_path, [az_pool()])
    outcomes = [each for each in made.adopted.outcomes if each.observed.name.startswith("HelmRelease")]
    assert {each.fate for each in outcomes} == {Fate.ADOPTED}


def karpenter_pool(name: str) -> dict[str, Any]:
    """A NodePool without a node class, as `kubectl get -o json` prints it."""
    requirement = {"key": "karpenter.azure.com/sku-name", "operator": "In", "values": ["Standard_NC4as_T4_v3"]}
    reference = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"}
    spec = {"template": {"spec": {"nodeClassRef": reference, "requirements": [requirement]}}}
    metadata = {"name": name, "uid": name, "resourceVersion": "4"}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": metadata, "spec": spec}


@pytest.mark.parametrize(("mode", "pools"), [("Auto", ["a", "b"]), ("Manual", ["a", "b"]), ("Manual", ["a"])])
def test_pools_of_both_provisioners_are_adopted(tmp_path: Path, mode: str, pools: list[str]) -> None:
    cluster = {"id": CLUSTER, "name": "prod", "location": "swedencentral", "nodeProvisioningProfile": {"mode": mode}}
    beside = {"type": "VirtualMachineScaleSets", "id": None, "typePropertiesType": None}  # as `az aks show` prints it
    profiles = [{**az_pool(name=name), **beside} for name in pools]
    made = imported(tmp_path, {**cluster, "agentPoolProfiles": profiles}, karpenter_pool("t4"))
    assert [each for each in made.adopted.outcomes if each.fate is Fate.INEXPRESSIBLE] == []
    documents = (each.document for each in made.adopted.documents)
    assert sorted(document.name for document in documents if document.kind == "GpuPool") == [*pools, "t4"]
    assert not any(each.change.touches_nodes for each in made.verdicts)


def test_a_name_with_dots_is_the_reason(tmp_path: Path) -> None:
    ((fate, reason),) = lost(imported(tmp_path, karpenter_pool("gpu.t4")))
    assert fate is Fate.INEXPRESSIBLE
    assert "dots" in reason


def test_the_stack_is_inferred_for_pools_that_are_adopted(tmp_path: Path) -> None:
    made = imported(
        tmp_path, [az_pool(), az_pool(name="odd", id=f"{CLUSTER}/agentPools/odd", workloadRuntime="WasmWasi")]
    )
    inferred = [each.reason for each in made.adopted.outcomes if each.fate is Fate.INFERRED]
    assert [reason for reason in inferred if "advertises the GPUs of gpu:" in reason]
    assert not [reason for reason in inferred if "odd" in reason]


def test_what_is_inferred_for_several_clusters_is_a_comment_of_each(tmp_path: Path) -> None:
    two = [az_pool(), az_pool(id=f"{CLUSTER}two/agentPools/gpu")]
    (tmp_path / "pools.json").write_text(json.dumps(two), encoding="utf-8")
    read = read_clusters([str(tmp_path)], ClusterOptions(), (), catalog(()))
    made = import_fleet(read.inventory, ClusterOptions(), (), "fleet")
    comment = "# Inferred: nothing in the input exports GPU metrics.\n      exporter: false\n"
    assert [path for path, text in made.files.items() if comment in text] == [
        "clusters/prod/cluster.yaml",
        "clusters/prodtwo/cluster.yaml",
    ]


def test_equal_outcomes_of_several_files_are_one_line(tmp_path: Path) -> None:
    pools = [az_pool(name=name, id=f"{CLUSTER}/agentPools/{name}") for name in "abc"]
    made = imported(tmp_path, pools, pools)
    ((name, reason),) = [(each.name, each.reason) for each in made.inventory.skipped]
    assert name == "node pool a (and 2 other objects)"
    assert reason.startswith("the same object is read from ")
