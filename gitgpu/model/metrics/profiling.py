"""Where DCGM's profiling counters (DCGM_FI_PROF_*) work."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.sku import Sku

PROFILING = "DCGM_FI_PROF_"  # the prefix of these counters


def is_profiled(sku: Sku, driver: str, catalog: Catalog) -> bool:
    """Whether the counters are known to work.

    Not if AKS installs the GRID driver, because the node is then a vGPU guest.
    """
    row = catalog.facts("drivers", sku.driver) if sku.driver and driver in ("aks", "aks-only") else None
    grid = row is not None and row["kind"] == "grid"
    return not grid and sku.gpu is not None and sku.gpu.profiling is True
