"""The sizes of a pool as keys of a spec."""

import pytest

from gitgpu.adopt.node.sizes import size_keys
from gitgpu.model.catalog import catalog
from gitgpu.model.size.size_selection import matching_sizes

CATALOG = catalog(())


@pytest.mark.parametrize(
    ("count", "written"), [("1", 1), ("1..2", "1..2")], ids=["sizes with one GPU each", "sizes with one or two GPUs"]
)
def test_sizes_with_some_counts_are_requirements(count: str, written: object) -> None:
    skus = matching_sizes(CATALOG, {"gpu": {"model": ["A10", "T4"], "count": count}})
    keys = size_keys(skus, CATALOG, named=False)
    assert keys == {"requirements": {"gpu": {"model": ["A10", "T4"], "count": written}}}
