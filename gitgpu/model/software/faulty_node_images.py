"""Node images of AKS on which the driver of a size does not work: `faultyNodeImages` of the drivers in the catalog."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.sku import Sku


def image_fault(image: str, size: Sku, catalog: Catalog) -> str:
    """What is wrong with an image such as AKSUbuntu-2204gen2containerd-202607.02.0 for a size; "" if nothing is."""
    if not size.driver:
        return ""
    system, _, version = image.rpartition("-")
    for faulty in catalog.must("drivers", size.driver).get("faultyNodeImages", ()):
        if version == faulty["version"] and system.lower().startswith(f"aks{faulty['os']}".lower()):
            return str(faulty["fault"])
    return ""
