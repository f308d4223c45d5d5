"""The labels that nodes of a NodePool could have, and when a Kubernetes version counts as different."""

from typing import Any

import pytest

from gitgpu.compare import Both, compare_clusters
from gitgpu.compare.node_labels import MAX_INT64, could, label_in_zones
from gitgpu.compare.nodes import Pool
from gitgpu.compare.sides import Sides
from gitgpu.compare.upgrade import moves
from tests.compare.sides import CLASS, POOL, context, edited, overlays, pool_of
from tests.helping.cases import for_each

REQUIREMENTS = "spec/template/spec/requirements"
PRESENT = POOL["spec"]["template"]["spec"]["requirements"]
ZONE, SCOPE = "topology.kubernetes.io/zone", "karpenter.azure.com/placement-scope"
OWN = "example.com/rack"


def wanting(key: str, operator: str, *values: str) -> Pool:
    """The pool with a further requirement."""
    entry: dict[str, Any] = {"key": key, "operator": operator, "values": list(values)}
    return pool_of(edited(POOL, {REQUIREMENTS: [*PRESENT, entry]}))


def test_an_open_requirement_draws_a_whole_number() -> None:
    above = could(OWN, wanting(OWN, "Gt", "5"))
    assert above is not None
    assert (above.low, above.high) == (6, 9223372036854775807)  # the largest int64
    other = could(OWN, wanting(OWN, "NotIn", "7"))
    assert other is not None
    assert (other.low, other.high, other.takes("7"), other.takes("8")) == (0, MAX_INT64, False, True)
    below = could(OWN, wanting(OWN, "Lt", "5"))
    assert below is not None
    assert (below.low, below.high) == (0, 4)


def test_listed_values_are_all_there_are() -> None:
    listed = could(OWN, wanting(OWN, "In", "a", "b"))
    assert listed is not None
    assert listed.values == {"a", "b"}
    assert not listed.complement
    assert could(OWN, pool_of(POOL)) is None


def test_nodes_are_in_the_zones_of_their_pool_while_these_have_room() -> None:
    pool = wanting(ZONE, "In", "swedencentral-1", "swedencentral-2")
    named = label_in_zones(ZONE, pool)
    assert named is not None
    assert named.values == {"swedencentral-1", "swedencentral-2"}
    scope = label_in_zones(SCOPE, pool)
    assert scope is not None
    assert scope.values == {"zonal"}
    assert label_in_zones(OWN, pool) is None


@for_each(
    ("before", "after", "other"),
    [
        ("1.35", "1.36", True),
        ("1.35", "1.35.2", False),
        ("1.35.2", "1.35", False),
        ("1.35.1", "1.35.2", True),
        ("1.36", "1.35", True),
        ("", "1.35", False),
        ("1.35", "", False),
    ],
)
def test_which_versions_are_different(before: str, after: str, other: bool) -> None:
    assert moves(before, after) is other


def test_an_upgrade_replaces_nodes_of_pools_that_exist_before_and_after_it() -> None:
    old, new = (edited(POOL, {"metadata/name": name}) for name in ("old", "new"))
    versions = Sides({"c": "1.35"}, {"c": "1.36"})
    both = Both(overlays([old, POOL, CLASS]), overlays([new, POOL, CLASS]), "", {"c": "swedencentral"}, versions)
    [change], faults = compare_clusters(both, context())
    assert faults == []
    assert change.upgrade is not None
    assert [pool.name for pool in change.upgrade.pools] == ["p"]


@pytest.mark.parametrize(("more", "scopes"), [((), {"zonal", "regional"}), (((SCOPE, "In", "zonal"),), {"zonal"})])
def test_in_a_region_that_the_catalog_lacks_a_pool_may_have_any_scope(
    more: tuple[tuple[str, ...], ...], scopes: set[str]
) -> None:
    entries = [{"key": key, "operator": operator, "values": values} for key, operator, *values in more]
    requirement = could(SCOPE, pool_of(edited(POOL, {REQUIREMENTS: [*PRESENT, *entries]}), region="nowhere"))
    assert requirement is not None
    assert requirement.values == scopes
