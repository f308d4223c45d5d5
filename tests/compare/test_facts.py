"""Which changed facts of a catalog a fleet uses."""

from typing import Any

import pytest

from gitgpu.compare.change import Field, Kind
from gitgpu.compare.facts import RowChange, used
from tests.patch.fleets import compiled

SIZE = "Standard_NC24ads_A100_v4"
INPUTS: Any = compiled().made.checked.inputs


def row(kind: str, name: str, *paths: str) -> RowChange:
    """A row in which the values at some paths change."""
    return RowChange(kind, name, Kind.CHANGED, tuple(Field(path, 1, 2) for path in paths))


def kept(change: RowChange) -> tuple[list[str], int]:
    """The paths that the fleet uses, and how many rows it does not."""
    found, others = used([change], INPUTS)
    return [field.path for each in found for field in each.fields], others


@pytest.mark.parametrize("kind", ["availability", "prices", "regions"])
def test_a_row_of_a_region_counts_where_the_fleet_has_a_cluster(kind: str) -> None:
    assert kept(row(kind, "swedencentral", "a")) == (["a"], 0)
    assert kept(row(kind, "eastus", "a")) == ([], 1)


def test_the_rows_of_the_sizes_of_the_fleet() -> None:
    sku = INPUTS.catalog.sku(SIZE)
    assert sku is not None
    assert sku.gpu is not None
    for kind, name in (("skus", SIZE), ("gpus", sku.gpu.name), ("drivers", str(sku.driver)), ("kubernetes", "1.34")):
        assert kept(row(kind, name, "a")) == (["a"], 0)
        assert kept(row(kind, "other", "a")) == ([], 1)


def test_rows_of_other_kinds_are_always_used() -> None:
    assert kept(row("charts", "keda", "version")) == (["version"], 0)


def test_only_the_sizes_of_the_fleet_in_a_row_of_many() -> None:
    paths = (f"onDemand.{SIZE}", "onDemand.Standard_NC4as_T4_v3", "currency")
    assert kept(row("prices", "swedencentral", *paths)) == ([f"onDemand.{SIZE}", "currency"], 0)
    assert kept(row("prices", "swedencentral", paths[1])) == ([], 1)


def test_a_row_without_facts_counts_when_it_comes_or_goes() -> None:
    found, others = used([RowChange("charts", "keda", Kind.ADDED, ())], INPUTS)
    assert ([each.path for each in found], others) == (["charts/keda"], 0)
