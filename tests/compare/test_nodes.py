"""Pools as read from the overlays: sizes, node class, zones, and the maximum at their limits."""

from decimal import Decimal
from typing import Any

import pytest

from gitgpu.compare.nodes import AtLimits, pools
from gitgpu.compare.snapshot import objects_in
from gitgpu.write.render import render
from tests.compare.sides import AGENTS, CLASS, POOL, REMOVED, context, edited, overlays, pool_of
from tests.helping.cases import for_each

SMALL, LARGE = "Standard_NC4as_T4_v3", "Standard_NC16as_T4_v3"
NAMES = "spec/template/spec/requirements/0/values"
CLASS_NAME = "spec/template/spec/nodeClassRef/name"


def price(size: str) -> Decimal:
    """The price of a size per hour."""
    prices = context().catalog.facts("prices", "swedencentral")
    assert prices is not None
    return Decimal(str(prices["onDemand"][size]))


def limits(edits: dict[str, Any], body: dict[str, Any] = POOL) -> AtLimits:
    """The maximum of a pool at its limits."""
    return pool_of(edited(body, edits)).limits


def test_the_strictest_limit_counts_for_each_size_and_the_largest_number_of_all_sizes() -> None:
    at_limits = limits({"spec/limits": {"nvidia.com/gpu": "8", "cpu": "32"}})
    assert (at_limits.nodes, at_limits.gpus, at_limits.unpriced) == (8, 8, ())
    assert at_limits.price == max(8 * price(SMALL), 2 * price(LARGE))
    assert limits({"spec/limits": {"cpu": "39"}}).nodes == 9
    assert limits({"spec/limits": {"nodes": "3", "cpu": "800"}}).nodes == 3
    assert limits({"spec/limits": {"cpu": "32"}, NAMES: [LARGE]}).nodes == 2


@pytest.mark.parametrize("given", [REMOVED, {}, {"example.com/nic": "4"}])
def test_without_a_limit_the_number_of_nodes_is_unknown(given: Any) -> None:
    assert limits({"spec/limits": given}) == AtLimits(None, None, None, ())


def test_a_static_pool_has_its_replicas() -> None:
    at_limits = limits({"spec/replicas": 5, "spec/limits": {"nodes": "9"}})
    assert (at_limits.nodes, at_limits.gpus, at_limits.price) == (5, 5, 5 * max(price(SMALL), price(LARGE)))
    assert limits({"spec/replicas": 0, "spec/limits": {"nodes": "9"}}).nodes == 0


@for_each(
    ("edits", "nodes"),
    [
        ({}, 4),
        ({"spec/count": 2}, 4),
        ({"spec/enableAutoScaling": False, "spec/count": 2}, 2),
        ({"spec/enableAutoScaling": REMOVED, "spec/count": 3, "spec/maxCount": REMOVED}, 3),
        ({"spec/maxCount": "4"}, None),
        ({"spec/maxCount": REMOVED}, None),
    ],
)
def test_the_nodes_of_a_pool_of_aks(edits: dict[str, Any], nodes: int | None) -> None:
    at_limits = limits(edits, AGENTS)
    assert (at_limits.nodes, at_limits.gpus) == (nodes, nodes)
    assert at_limits.price == (None if nodes is None else nodes * price(SMALL))


def test_in_a_region_without_prices_each_size_is_unpriced() -> None:
    pool = pool_of(POOL, region="nowhere")
    assert (pool.limits.nodes, pool.limits.price) == (8, None)
    assert sorted(pool.limits.unpriced) == [LARGE, SMALL]
    assert (pool.region, pool.zones) == ("nowhere", None)


def test_the_zones_of_its_region() -> None:
    assert pool_of(POOL).zones == ("swedencentral-1", "swedencentral-2", "swedencentral-3")
    assert pool_of(AGENTS).region == "swedencentral"


def test_the_sizes_that_it_can_have() -> None:
    pool = pool_of(POOL)
    assert ({sku.name for sku in pool.skus}, pool.startable) == ({SMALL, LARGE}, True)
    assert pool.karpenter is not None
    assert [sku.name for sku in pool_of(AGENTS).skus] == [SMALL]
    assert (pool_of(AGENTS).karpenter, pool_of(AGENTS).kind) == (None, "ManagedClustersAgentPool")
    assert pool_of(edited(AGENTS, {"spec/vmSize": "Standard_NC9"})).skus == ()
    assert pool_of(edited(AGENTS, {"spec/vmSize": ["a"]})).skus == ()
    assert pool_of(edited(POOL, {NAMES: ["Standard_D4s_v5"]})).skus == ()


def test_a_size_that_karpenter_does_not_offer_starts_no_node() -> None:
    catalog = context().catalog
    rows = [catalog.sku(name) for name in catalog.rows("skus")]
    size = next(sku for sku in rows if sku and sku.offer == "left-out" and sku.gpus and sku.vcpus)
    pool = pool_of(edited(POOL, {NAMES: [size.name]}))
    assert ([sku.name for sku in pool.skus], pool.startable) == ([size.name], False)
    assert pool.limits == AtLimits()


def test_sizes_that_karpenter_offers_come_before_those_that_it_only_could_match() -> None:
    catalog = context().catalog
    rows = [catalog.sku(name) for name in catalog.rows("skus")]
    other = next(sku for sku in rows if sku and sku.offer == "left-out" and sku.gpus and sku.vcpus)
    pool = pool_of(edited(POOL, {NAMES: [SMALL, other.name]}))
    assert ([sku.name for sku in pool.skus], pool.startable) == ([SMALL], True)


def test_a_region_whose_zones_are_not_known() -> None:
    place = context().catalog.facts("regions", "usdodcentral")
    assert place is not None
    assert place["zones"] is None
    assert pool_of(POOL, region="usdodcentral").zones is None


def test_pools_of_both_kinds_may_have_one_name() -> None:
    files = overlays([POOL, CLASS, edited(AGENTS, {"metadata/name": "p"})])
    objects, _ = objects_in(files, files, "")
    by_key = pools(objects.values(), "swedencentral", context())
    assert by_key["ManagedClustersAgentPool", "p"].karpenter is None
    assert [sku.name for sku in by_key["ManagedClustersAgentPool", "p"].skus] == [SMALL]
    assert by_key["NodePool", "p"].karpenter is not None


def test_a_node_class_without_a_name_is_not_the_class_of_a_pool_that_names_none() -> None:
    nameless = edited(CLASS, {"metadata": {"generateName": "p-"}})
    files = {"c/nodes/class.yaml": render(nameless), "c/nodes/p.yaml": render(edited(POOL, {CLASS_NAME: ""}))}
    objects, faults = objects_in(files, files, "")
    assert faults == []
    assert pools(objects.values(), "swedencentral", context())["NodePool", "p"].class_name == ""


def test_a_node_pool_that_does_not_fit_its_schema_is_only_its_body() -> None:
    odd = edited(POOL, {"spec/weight": "heavy"})
    assert (pool_of(odd).karpenter, pool_of(odd).skus) == (None, ())
    assert pool_of(odd).body["spec"]["weight"] == "heavy"


def test_a_node_pool_of_an_earlier_version_of_its_api_has_sizes() -> None:
    assert pool_of(edited(POOL, {"apiVersion": "karpenter.sh/v1beta1"})).skus == pool_of(POOL).skus != ()


def test_the_node_class_that_it_names() -> None:
    pool = pool_of(POOL)
    assert pool.class_name == "p"
    assert pool.node_class is not None
    assert pool.node_class["spec"]["tags"] == {"a": "b"}
    names: list[Any] = ["q", ["p"], {}]
    for name in names:
        other = pool_of(edited(POOL, {CLASS_NAME: name}))
        assert (other.node_class, other.class_name) == (None, "")


def test_objects_of_other_groups_are_not_pools() -> None:
    foreign = {**POOL, "apiVersion": "example.com/v1", "metadata": {"name": "f"}}
    other_class = {**CLASS, "apiVersion": "example.com/v1"}
    files = overlays([foreign, POOL, AGENTS, other_class])
    objects, faults = objects_in(files, files, "")
    assert faults == []
    by_key = pools(objects.values(), "swedencentral", context())
    assert {*by_key} == {("NodePool", "p"), ("ManagedClustersAgentPool", "a")}
    assert by_key["NodePool", "p"].node_class is None
