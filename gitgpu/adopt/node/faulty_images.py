"""Node pools whose nodes run an AKS image on which the driver of their size does not work."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.inventory.observed import Inventory, Observed
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.faulty_node_images import image_fault

_REMEDY = "upgrade the node pool: az aks nodepool upgrade --node-image-only"


def faulty_images(inventory: Inventory, catalog: Catalog) -> Iterator[Diagnostic]:
    """A warning for each such node pool (`faultyNodeImages` of the drivers in the catalog)."""
    for observed in inventory.objects():
        driver = reach(observed.body, "spec", "gpuProfile", "driver")
        if observed.image and str(driver or "").lower() != "none":
            yield from _faults(observed, catalog)


def _faults(observed: Observed, catalog: Catalog) -> Iterator[Diagnostic]:
    size = catalog.sku(str(reach(observed.body, "spec", "vmSize")))
    fault = image_fault(observed.image, size, catalog) if size else ""
    if size and fault:
        message = f"{observed.name} runs the node image {observed.image}, which does not work on {size.name}"
        place = observed.places.span(("spec", "vmSize"))
        yield Diagnostic("IMP016", Severity.WARNING, f"{message}: {fault}", _REMEDY, place)
