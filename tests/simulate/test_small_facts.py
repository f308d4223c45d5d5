"""Details of forecasts that do not show in larger clusters."""

from typing import Any

from gitgpu.objects.objects import Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.simulate.instance.offerings import Offerings
from gitgpu.simulate.region import region_of
from tests.helping.cases import for_each
from tests.rules.objects.samples import somewhere
from tests.simulate.clusters import nodes_with
from tests.simulate.test_running import node, pod
from tests.simulate.worlds import A100, A100X4, CLASS, GPU, POOL, catalog, deployment, forecast, only, pool, wants

EXIST = "already exist: they use capacity and count towards limits"


@for_each(
    ("there", "text"),
    [
        ([node("n1", A100)], "1 GPU node and 0 pods"),
        ([node("n1", A100), pod("old", "n1")], "1 GPU node and 1 pod"),
        ([node("cpu", "Standard_D8s_v5", gpus=0), pod("old", "cpu", gpus=0)], "0 GPU nodes and 1 pod"),
        ([], ""),
    ],
)
def test_existing_nodes_and_existing_pods_are_both_noted(there: list[dict[str, Any]], text: str) -> None:
    notes = forecast(CLASS, pool("a", A100), *there, deployment("w")).notes
    assert [note for note in notes if EXIST in note] == ([f"{text} {EXIST}"] if text else [])


def test_a_size_that_is_not_sold_as_spot_is_sold_on_demand() -> None:
    offerings = Offerings(catalog(), "eastus", {}, ())
    size = catalog().sku(A100)
    assert size is not None

    def capacities(spot: bool | None) -> set[bool]:
        sold = offerings.of_size(size._replace(row={**size.row, "spot": spot}))
        return {offering.spot for at, offering in enumerate(offerings.by_number) if sold >> at & 1}

    assert capacities(False) == {False}
    assert capacities(True) == capacities(None) == {True, False}


def test_every_pod_counts_against_the_maximum_pods_of_a_node() -> None:
    running = node("n1", A100X4, gpus=4)
    for amounts in running["status"].values():
        amounts["pods"] = "3"
    verdict = only(pool("a", A100, limits={GPU: "0"}), running, pod("old", "n1"), deployment("w", 3))
    assert (verdict.high.placed, verdict.high.idle) == (2, 1)


@for_each(
    ("label", "size"),
    [
        ("memory", "Standard_ND96ams_A100_v4"),
        ("networking-accelerated", "Standard_ND96ams_A100_v4"),
        ("storage-premium-capable", "Standard_ND96ams_A100_v4"),
        ("storage-ephemeralos-maxsize", "Standard_NC144ds_xl_RTXPRO6000BSE_v6"),
        ("storage-ultra-ssd", "Standard_NC144ds_xl_RTXPRO6000BSE_v6"),
    ],
)
def test_a_label_with_an_unknown_value_excludes_no_pod_and_is_a_doubt(label: str, size: str) -> None:
    """If this fact is added to the catalog, use another size for which it is unknown."""
    key = f"karpenter.azure.com/sku-{label}"
    required = nodes_with([wants(key, "Exists")])
    verdict = only(pool("a", size), deployment("w", nodeSelector={POOL: "a"}, affinity=required))
    doubts = [doubt.message for doubt in verdict.doubts if doubt.kind == "fact"]
    assert (verdict.high.placed, doubts) == (1, [f"the catalog does not know {key} of {size}"])


def cluster_in(location: Any) -> dict[str, Any]:
    """An AKS cluster as an Azure Service Operator object."""
    kind = {"apiVersion": "containerservice.azure.com/v1api20250801", "kind": "ManagedCluster"}
    spec = {"location": location, "owner": {"name": "group"}}
    return {**kind, "metadata": {"name": f"c-{location}".lower().replace(" ", ""), "namespace": "aks"}, "spec": spec}


def in_zones(name: str, *zones: str) -> dict[str, Any]:
    """A NodePool with nodes in these zones."""
    return pool(name, A100, more=(wants("topology.kubernetes.io/zone", "In", *zones),))


@for_each(
    ("objects", "region"),
    [
        ([cluster_in("East US")], "eastus"),
        ([cluster_in("swedencentral"), cluster_in("Sweden Central")], "swedencentral"),
        ([cluster_in("eastus"), cluster_in("westus3")], ""),
        ([cluster_in(None)], ""),
        ([{**cluster_in("eastus"), "kind": "FleetsMember"}, cluster_in("westus3")], "westus3"),
        ([in_zones("a", "eastus-1", "eastus-2")], "eastus"),
        ([in_zones("a", "eastus-1"), in_zones("b", "westus3-1")], ""),
        ([in_zones("a", "eastus-1"), cluster_in("eastus")], "eastus"),
        ([in_zones("a", "eastus-1"), cluster_in("westus3")], ""),
        ([pool("a", A100)], ""),
    ],
)
def test_the_region_of_a_cluster_is_the_only_one_that_its_objects_name(
    objects: list[dict[str, Any]], region: str
) -> None:
    items = [Item(given, identity(given.body), Scope.NAMESPACED) for given in somewhere(*objects)]
    assert region_of(items) == region


def test_a_pod_that_requests_only_cpu_and_tolerates_no_gpu_pool_is_skipped() -> None:
    web = deployment("web", gpus=0, requests={"cpu": "1"}, tolerations=[])
    result = forecast(CLASS, pool("a", A100), web, deployment("w"))
    assert ([verdict.name for verdict in result.verdicts], result.skipped) == (["w"], 1)


def test_an_unknown_region_excludes_no_pod_that_names_one() -> None:
    asks = deployment("w", nodeSelector={"topology.kubernetes.io/region": "eastus"})
    assert only(pool("a", A100), asks, region="").verdict == "schedulable"
    assert only(pool("a", A100), asks, region="westus").verdict == "unschedulable"


def test_a_cluster_without_node_pools_gives_its_pods_a_reason() -> None:
    (reason,) = only(cluster_in("eastus"), deployment("w")).reasons
    assert (reason.kind, reason.message) == ("pools", "there is no node pool")


def test_a_rejected_node_pool_names_no_region() -> None:
    (given,) = somewhere({**pool("a", A100), "spec": {"template": {}}})
    assert region_of([Item(given, identity(given.body), Scope.NAMESPACED, sound=False)]) == ""
