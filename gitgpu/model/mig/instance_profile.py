"""The AKS GPU instance profile for the layout of a pool."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Pool
from gitgpu.model.mig.layout import fullest


def gpu_instance_profile(pool: Pool, catalog: Catalog) -> str | None:
    """The GPU instance profile with which AKS creates a pool's layout; None if AKS has none for it."""
    mig, facts = pool.mig, catalog.must("pools", "aks")
    if mig is None or len(mig.layouts) > 1 or len(mig.layouts[0]) > 1:
        return None
    [(profile, count)] = mig.layouts[0].items()
    gpus = [sku.gpu for sku in pool.skus if sku.gpu]
    if not gpus or any(gpu.name not in facts["migGpus"] or fullest(gpu, profile) != count for gpu in gpus):
        return None
    slices = (gpus[0].mig or {})[profile]["slices"]
    wanted = {"slices": slices, "instances": count}
    return next((name for name, layout in facts["migProfiles"].items() if layout == wanted), None)
