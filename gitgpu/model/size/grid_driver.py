"""Sizes whose GPUs are NVIDIA vGPU guests, for which AKS installs the GRID driver."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.sku import Sku


def needs_grid_driver(sku: Sku, catalog: Catalog) -> bool:
    """Whether AKS installs the GRID driver on the size."""
    return sku.driver is not None and bool(catalog.must("drivers", sku.driver)["kind"] == "grid")
