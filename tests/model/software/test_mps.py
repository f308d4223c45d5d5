"""How many MPS clients a GPU accepts."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.mps import client_limit, client_limits

CATALOG = Catalog(CatalogFiles())


@pytest.mark.parametrize(
    ("size", "limit"),
    [
        ("Standard_ND40rs_v2", 16),  # V100: 7.0
        ("Standard_NC16as_T4_v3", 48),  # 7.5
        ("Standard_NC24ads_A100_v4", 48),
    ],
)
def test_the_compute_capability_of_the_gpu_decides(size: str, limit: int) -> None:
    sku = CATALOG.sku(size)
    assert sku
    assert client_limit(sku, CATALOG) == limit


def test_a_gpu_that_is_not_known_may_be_new() -> None:
    sku = CATALOG.sku("Standard_ND40rs_v2")
    assert sku
    assert client_limit(sku._replace(gpu=None), CATALOG) == 48


def test_the_schema_of_the_spec_has_the_highest_limit() -> None:
    assert client_limits(CATALOG) == sorted(client_limits(CATALOG))
    schema = json.loads(Path("schemas/fleet.schema.json").read_text("utf-8"))
    assert [found["maximum"] for found in _replicas_of("mps", schema)] == [client_limits(CATALOG)[-1]]


def _replicas_of(key: str, schema: Any) -> Iterator[Any]:
    """The schema of `replicas` in each schema of a key."""
    if isinstance(schema, dict):
        for name, inner in schema.items():
            if name == key and isinstance(inner, dict) and "properties" in inner:
                yield inner["properties"]["replicas"]
            yield from _replicas_of(key, inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _replicas_of(key, inner)
