"""The machines that a pool can have, in Karpenter's terms."""

from typing import Any

import pytest
from hypothesis import given

from tests.emit.fleets import A100, CATALOG, MI300X, Body, cluster, emitted, fleet, pool, pools
from tests.helping.cases import for_each

SKU, CAPACITY = "karpenter.azure.com/sku-name", "karpenter.sh/capacity-type"
ZONE, SCOPE = "topology.kubernetes.io/zone", "karpenter.azure.com/placement-scope"
EPHEMERAL = "karpenter.azure.com/sku-storage-ephemeralos-maxsize"


def node_pool(**spec: Any) -> Body:
    """The spec of the NodePool of one pool."""
    written: Body = emitted(fleet(), cluster(), pool("p", **spec)).one("NodePool", "p")["spec"]
    return written


def requirements(spec: Body) -> dict[str, tuple[str, list[str]]]:
    """The requirements of a NodePool by key. Fails for a duplicate key."""
    items = spec["template"]["spec"]["requirements"]
    by_key = {item["key"]: (item["operator"], item["values"]) for item in items}
    assert len(by_key) == len(items)
    return by_key


def test_a_pool_requires_its_sizes_and_capacity_type_and_nothing_else() -> None:
    assert requirements(node_pool()) == {
        SKU: ("In", ["Standard_NC16as_T4_v3"]),
        CAPACITY: ("In", ["on-demand"]),
    }


def test_one_node_pool_for_spot_and_on_demand() -> None:
    """Karpenter itself uses the cheaper offering. Two NodePools would each have the full limit."""
    assert requirements(node_pool(capacity=["spot", "on-demand"]))[CAPACITY] == ("In", ["on-demand", "spot"])


def test_zones_are_those_of_the_region() -> None:
    """In Karpenter, a zone is `swedencentral-1`; `1` alone never matches."""
    assert requirements(node_pool(zones=["3", "1"]))[ZONE] == ("In", ["swedencentral-1", "swedencentral-3"])


def test_placement_becomes_a_requirement() -> None:
    assert requirements(node_pool(placement="regional"))[SCOPE] == ("In", ["regional"])


@pytest.mark.parametrize(("image", "above"), [({}, "127"), ({"osDiskGB": 100}, "99")])
def test_an_ephemeral_disk_needs_room(image: Body, above: str) -> None:
    """Gt with one less, because older Karpenter releases do not have Gte. The default disk has 128 GB."""
    by_key = requirements(node_pool(image={"ephemeralOSDisk": True, **image}))
    assert by_key[EPHEMERAL] == ("Gt", [above])


@pytest.mark.parametrize("spelling", ["standard_nc16AS_t4_v3", "NC16as_T4_v3", "nc16as_t4_v3"])
def test_a_size_is_written_as_azure_writes_it(spelling: str) -> None:
    assert requirements(node_pool(sku=spelling))[SKU] == ("In", ["Standard_NC16as_T4_v3"])


def test_requirements_become_the_sizes_that_meet_them() -> None:
    wanted = {"gpu": {"model": ["A100"], "count": "2..4"}}
    document = pool("p", requirements=wanted)
    del document["spec"]["sku"]
    spec = emitted(fleet(), cluster(), document).one("NodePool", "p")["spec"]
    operator, names = requirements(spec)[SKU]
    assert (operator, names) == ("In", ["Standard_NC48ads_A100_v4", "Standard_NC96ads_A100_v4"])
    rows = [CATALOG.must("skus", name)["gpu"] for name in names]
    assert [(row["name"], row["count"]) for row in rows] == [("A100-80GB-PCIe", 2), ("A100-80GB-PCIe", 4)]


@pytest.mark.parametrize(
    ("spec", "limits"),
    [
        ({"limits": {"gpus": 8}}, {"nvidia.com/gpu": "8"}),
        ({"limits": {"gpus": 8}, "sku": MI300X, "driver": "none"}, {"amd.com/gpu": "8"}),
        ({"limits": {"cpu": 128, "memory": "1Ti", "nodes": 8}}, {"cpu": "128", "memory": "1Ti", "nodes": "8"}),
    ],
)
def test_limits_are_quantities(spec: Body, limits: dict[str, str]) -> None:
    assert node_pool(**spec)["limits"] == limits


def test_without_limits_there_are_none() -> None:
    document = pool("p", A100)
    del document["spec"]["limits"]
    assert "limits" not in emitted(fleet(), cluster(), document).one("NodePool", "p")["spec"]


def test_disruption_is_where_karpenter_looks_for_it() -> None:
    """In v1, expireAfter and terminationGracePeriod are in the template; elsewhere they are dropped silently."""
    budgets = [{"nodes": "0", "schedule": "0 6 * * 1-5", "duration": "14h"}, {"nodes": "10%", "reasons": ["Drifted"]}]
    asked = {"expireAfter": "Never", "terminationGracePeriod": "24h", "consolidateAfter": "1h", "budgets": budgets}
    spec = node_pool(disruption=asked, weight=10)
    template = spec["template"]["spec"]
    assert (template["expireAfter"], template["terminationGracePeriod"]) == ("Never", "24h")
    assert spec["disruption"] == {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "1h", "budgets": budgets}
    assert spec["weight"] == 10


@given(pools())
def test_disruption_is_never_written_without_consolidate_after(gpu_pools: list[Body]) -> None:
    """Karpenter 1.14 rejects the block without it."""
    result = emitted(fleet(), cluster(), *gpu_pools)
    assert all(body["spec"]["disruption"]["consolidateAfter"] for body in result.every("NodePool"))


@for_each(
    ("partition", "label"),
    [
        (None, None),
        ({"timeSlicing": {"replicas": 2}}, "time-slicing-2"),
        ({"timeSlicing": {"replicas": 16}}, "time-slicing-16"),
        ({"mps": {"replicas": 16}}, "mps-16"),
    ],
)
def test_sharing_is_a_label_of_the_nodes(partition: Body | None, label: str | None) -> None:
    sharing = {"partition": partition} if partition else {}
    labels = node_pool(labels={"team": "ads"}, **sharing)["template"]["metadata"]["labels"]
    assert labels.get("nvidia.com/device-plugin.config") == label
    assert labels["team"] == "ads"
    assert list(labels) == sorted(labels)
