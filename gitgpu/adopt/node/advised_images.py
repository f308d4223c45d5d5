"""Node pools whose nodes run an AKS image that an advisory of the catalog is about."""

from collections.abc import Iterator

from gitgpu.access import reach, text_at
from gitgpu.diagnostic import Diagnostic
from gitgpu.inventory.observed import Inventory, Observed
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.advisories import (
    NO_KARPENTER,
    Combination,
    Verdict,
    advisories,
    match,
    node_image_parts,
)


def advised_images(inventory: Inventory, catalog: Catalog, today: str) -> Iterator[Diagnostic]:
    """A finding for each such node pool and advisory on a day (ISO), or "" for any."""
    for observed in inventory.objects():
        if observed.image:
            yield from _findings(observed, catalog, today)


def _findings(observed: Observed, catalog: Catalog, today: str) -> Iterator[Diagnostic]:
    combination = _combination(observed, catalog)
    for advisory in advisories(catalog):
        if match(advisory, combination, today).verdict is Verdict.YES:
            message = f"{observed.name} runs the node image {observed.image} ({advisory.id}): {advisory.effect}"
            place = observed.places.span(("spec", "vmSize"))
            yield Diagnostic("IMP016", advisory.severity, message, advisory.remedy, place)


def _combination(observed: Observed, catalog: Catalog) -> Combination:
    system, version = node_image_parts(observed.image)
    has_own_driver = text_at(observed.body, "spec", "gpuProfile", "driver").lower() == "none"
    return Combination(
        sku=catalog.sku(str(reach(observed.body, "spec", "vmSize"))),
        system=system,
        driver="none" if has_own_driver else "aks",
        node_image=version,
        karpenter=NO_KARPENTER,
    )
