"""The drivers that a release of the GPU Operator is made for."""

from collections.abc import Mapping
from typing import Any

from gitgpu.model.catalog import Catalog, Facts


def operator_drivers(catalog: Catalog) -> Mapping[str, Facts]:
    """Its drivers by branch, the default first: the version, the newest CUDA, the architectures."""
    row: Mapping[str, Any] = catalog.must("charts", "gpu-operator")["driver"]
    return {entry["version"].partition(".")[0]: entry for entry in (row, *row["alternatives"])}


def operator_driver(branch: str | None, catalog: Catalog) -> Facts | None:
    """The driver of a branch, its default without one; None where it has no such branch."""
    known = operator_drivers(catalog)
    return known.get(branch) if branch else next(iter(known.values()))


def operator_version(catalog: Catalog) -> str:
    """The release of the operator that the catalog pins."""
    return str(catalog.must("charts", "gpu-operator")["version"])
