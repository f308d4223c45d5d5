"""Whether requirements allow only sizes with GPUs: by their keys, or by the names of sizes."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.names.labels import SKU_FAMILY_LABEL
from gitgpu.model.size.node_labels import GPU_COUNT, GPU_MAKER, GPU_NAME, NAMES
from gitgpu.model.syntax.requirement import Requirement, Requirements


def only_gpu_sizes(demanded: Requirements, catalog: Catalog) -> bool:
    """Whether requirements exclude every size without a GPU."""
    return wants_gpus(demanded) or _allow_only_family(demanded) or names_gpus(demanded, catalog)


def wants_gpus(demanded: Requirements) -> bool:
    """Whether requirements on GPUs exclude every size for which Karpenter counts no GPU."""
    gpu_demands = [demanded[key] for key in (GPU_NAME, GPU_MAKER) if key in demanded]
    if any(wanted.operator in ("In", "Exists") for wanted in gpu_demands):
        return True
    count = demanded.get(GPU_COUNT)
    return count is not None and not count.takes("0")


def _allow_only_family(together: Requirements) -> bool:
    """Whether they allow only N, the family of GPU sizes."""
    family = together.get(SKU_FAMILY_LABEL)
    return bool(family and not family.complement and family.values == {"N"})


def names_gpus(demanded: Requirements, catalog: Catalog) -> bool:
    """Whether requirements list sizes, all of them GPU sizes of the catalog."""
    names = listed_names(demanded)
    if not names:
        return False
    skus = [catalog.sku(name) for name in names.values]
    return bool(skus) and all(sku and sku.counted_gpus != 0 for sku in skus)


def listed_names(together: Requirements) -> Requirement | None:
    """The requirement that lists names of sizes, or None."""
    for key in NAMES:
        requirement = together.get(key)
        if requirement and requirement.operator == "In":
            return requirement
    return None
