"""Every NVIDIA size and every preset: how many GPUs of a node each KAITO release uses."""

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.sku import Sku
from gitgpu.model.software.kaito import gpus_needed, needs, on_add_on, takes, tuning_gpus

CATALOG = Catalog(CatalogFiles())
SIZES = [sku for sku in CATALOG.skus if sku.obtainable and sku.whole and sku.gpu and sku.manufacturer == "nvidia"]


def fits(row: Facts, sku: Sku) -> list[str]:
    """The presets that a node of the size can serve, with their number of GPUs, and those that it can tune."""
    gpus, memory = sku.gpus or 1, sku.gpu.memory_gib if sku.gpu else 0
    lines = []
    for name, facts in sorted(row["presets"].items()):
        served, tuned = gpus_needed(facts, row, gpus, memory), tuning_gpus(facts, memory)
        if served and served <= gpus:
            lines.append(f"{name} {served}" + (" tuned" if tuned and tuned <= gpus else ""))
    return lines


@pytest.mark.parametrize("release", CATALOG.names("kaito"))
def test_the_sizes_that_kaito_accepts(release: str, snapshot: SnapshotAssertion) -> None:
    row = CATALOG.must("kaito", release)
    assert {sku.name: fits(row, sku) for sku in SIZES} == snapshot


def test_larger_gpus_never_need_a_higher_count() -> None:
    row = CATALOG.must("kaito", "0.12.0")
    for facts in (*row["presets"].values(), *row["models"].values()):
        counts = [gpus_needed(facts, row, 8, memory) or 10**6 for memory in (16, 24, 40, 80, 94, 141, 192)]
        assert counts == sorted(counts, reverse=True)


def test_the_add_on_follows_kubernetes() -> None:
    assert on_add_on("1.33.4", CATALOG) == "0.4.5"
    assert on_add_on("1.34", CATALOG) == "0.6.0"
    assert on_add_on("1.36", CATALOG) == "0.6.0", "nothing newer has been announced"


def test_names_of_models() -> None:
    new, old = CATALOG.must("kaito", "0.12.0"), CATALOG.must("kaito", "0.6.0")
    assert needs("qwen/qwen3.5-9b", new) == needs("Qwen/Qwen3.5-9B", new)
    assert takes("contoso/own-model", new)
    assert not takes("contoso/own-model", old)
    assert not takes("own-model", new)
