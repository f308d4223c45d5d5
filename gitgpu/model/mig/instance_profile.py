"""What AKS calls the layout of the GPUs that it cuts itself."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Pool
from gitgpu.model.mig.layout import fullest


def gpu_instance_profile(pool: Pool, catalog: Catalog) -> str | None:
    """AKS's own word for a pool's layout, for node pools that AKS cuts itself; None for a layout that it cannot say."""
    mig, facts = pool.mig, catalog.must("pools", "aks")
    if mig is None or len(mig.layouts) > 1 or len(mig.layouts[0]) > 1:
        return None
    [(profile, count)] = mig.layouts[0].items()
    gpus = [sku.gpu for sku in pool.skus if sku.gpu]
    if not gpus or any(gpu.name not in facts["migGpus"] or fullest(gpu, profile) != count for gpu in gpus):
        return None
    slices = (gpus[0].mig or {})[profile]["slices"]
    names = (
        name for name, profile in facts["migProfiles"].items() if profile == {"slices": slices, "instances": count}
    )
    return next(names, None)
