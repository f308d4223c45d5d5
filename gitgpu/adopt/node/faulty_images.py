"""Node pools whose nodes run an AKS image on which the driver of their size does not work."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.inventory.observed import Inventory, Observed
from gitgpu.model.catalog import Catalog

_REMEDY = "upgrade the node pool: az aks nodepool upgrade --node-image-only"


def faulty_images(inventory: Inventory, catalog: Catalog) -> Iterator[Diagnostic]:
    """A warning for each such node pool (`faultyNodeImages` of the drivers in the catalog)."""
    for observed in inventory.objects():
        driver = reach(observed.body, "spec", "gpuProfile", "driver")
        if observed.image and str(driver or "").lower() != "none":
            yield from _faults(observed, catalog)


def _faults(observed: Observed, catalog: Catalog) -> Iterator[Diagnostic]:
    size = catalog.sku(str(reach(observed.body, "spec", "vmSize")))
    if not size or not size.driver:
        return
    driver = catalog.must("drivers", size.driver)
    system, _, version = observed.image.rpartition("-")
    for image in driver.get("faultyNodeImages", ()):
        if version == image["version"] and system.lower().startswith(f"aks{image['os']}".lower()):
            message = f"{observed.name} runs the node image {observed.image}, which does not work on {size.name}"
            place = observed.places.span(("spec", "vmSize"))
            yield Diagnostic("IMP016", Severity.WARNING, f"{message}: {image['fault']}", _REMEDY, place)
