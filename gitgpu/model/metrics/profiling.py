"""Where DCGM's profiling counters (DCGM_FI_PROF_*) work."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.sku import Sku

PROFILING = "DCGM_FI_PROF_"  # how the names of these counters begin


def profiled(sku: Sku, driver: str, catalog: Catalog) -> bool:
    """Are the counters known to work? Not with the GRID driver that AKS installs: the node is a vGPU guest then."""
    row = catalog.facts("drivers", sku.driver) if sku.driver and driver == "aks" else None
    grid = row is not None and row["kind"] == "grid"
    return not grid and sku.gpu is not None and sku.gpu.profiling is True
