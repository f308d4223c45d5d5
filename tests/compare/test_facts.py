"""Which changed catalog facts a fleet uses."""

from pathlib import Path
from typing import Any

import pytest

from gitgpu.compare.change import Field, Kind
from gitgpu.compare.facts import RowChange, row_changes, used_changes
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.rows import CatalogFiles
from tests.patch.fleets import compiled

SIZE = "Standard_NC24ads_A100_v4"
INPUTS: Any = compiled().made.checked.inputs


def row(kind: str, name: str, *paths: str) -> RowChange:
    """A row with changed values at some paths."""
    return RowChange(kind, name, Kind.CHANGED, tuple(Field(path, 1, 2) for path in paths))


def kept(change: RowChange) -> tuple[list[str], int]:
    """The changed paths that the fleet uses, and the number of rows that it does not use."""
    changes, others = used_changes([change], INPUTS)
    return [field.path for each in changes for field in each.fields], others


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
    changes, others = used_changes([RowChange("charts", "keda", Kind.ADDED, ())], INPUTS)
    assert ([each.path for each in changes], others) == (["charts/keda"], 0)


def catalog(folder: Path, **rows: str) -> CatalogFiles:
    """A catalog with the user's own price rows."""
    (folder / "prices").mkdir(parents=True)
    for name, text in rows.items():
        (folder / f"prices/{name}.yaml").write_text(text, encoding="utf-8")
    return CatalogFiles([Folder(str(folder), "mine")])


def test_rows_that_differ(tmp_path: Path) -> None:
    """Facts are compared one by one. Sources, notes and dates are about the row and are ignored."""
    text = "name: {}\nextends: gitgpu\n{}source: [https://a.com]\nverified: 2026-11-24\n"
    price = CatalogFiles().row("prices", "eastus")
    assert price is not None
    was = price.data["onDemand"][SIZE]
    new = "onDemand:\n  Standard_NC24ads_A100_v4: {}\n"
    first = catalog(tmp_path / "a", eastus=text.format("eastus", new.format(was)))
    second = catalog(tmp_path / "b", eastus=text.format("eastus", new.format(9.5)))
    whole = f"currency: USD\nunit: hour\ndate: '2026-11-24'\nspot: {{}}\n{new.format(1.5)}"
    third = catalog(tmp_path / "c", own=text.replace("extends: gitgpu\n", "").format("own", whole), bad="[")
    assert [*row_changes(CatalogFiles(), CatalogFiles())] == [*row_changes(CatalogFiles(), first)] == []
    changed = RowChange("prices", "eastus", Kind.CHANGED, (Field(f"onDemand.{SIZE}", was, 9.5),))
    assert [*row_changes(first, second)] == [changed]
    assert changed.path == "prices/eastus"
    added = [*row_changes(second, third)]
    assert [(each.path, each.change) for each in added] == [
        ("prices/eastus", Kind.CHANGED),
        ("prices/own", Kind.ADDED),
    ]
    [removed] = row_changes(third, CatalogFiles())
    assert removed.change is Kind.REMOVED
    assert set(removed.fields) == {Field(field.path, field.after, None) for field in added[1].fields}
