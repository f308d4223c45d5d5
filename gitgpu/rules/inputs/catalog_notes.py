"""Notes about the facts that a fleet uses: old facts, and facts that apply to a single subscription."""

from collections.abc import Collection, Iterator, Mapping
from itertools import chain

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.dates import OLD, evidence_day, is_old
from gitgpu.model.inputs import Inputs
from gitgpu.model.subscriptions import mixed_regions
from gitgpu.model.syntax.version import minor
from gitgpu.spelling import join_names

_RENEWED = ("availability", "prices", "sizes")  # what `gitgpu catalog refresh` updates
_NO_AGE = "9999-12-31"  # later than any date, and so never the oldest of several


def catalog_notes(inputs: Inputs) -> list[Diagnostic]:
    """Notes about the facts that the fleet uses."""
    return [*old_facts(inputs), *_unused_lists(inputs)]


def old_facts(inputs: Inputs) -> Iterator[Diagnostic]:
    """One note about facts that Azure changes often, and whose evidence is much older than the date of the run."""
    if not inputs.today:
        return
    old = {kind: day for kind, day in sorted(_oldest(inputs).items()) if is_old(day, inputs.today)}
    if old:
        facts = ", ".join(f"{kind} of {day}" for kind, day in old.items())
        message = f"on {inputs.today}, these facts are older than {OLD.days} days: {facts}"
        origin = inputs.fleet.origin
        place, pointer = origin.span(("metadata", "name")), "/metadata/name"
        yield Diagnostic("CAT017", Severity.INFO, message, _remedy(old), place, pointer, origin.ref)


def _remedy(old: Collection[str]) -> str:
    renewed_kinds = [kind for kind in old if kind in _RENEWED]
    other_kinds = [kind for kind in old if kind not in _RENEWED]
    refresh = f"run `gitgpu catalog refresh` for {join_names(renewed_kinds)}" if renewed_kinds else ""
    update = f"update gitgpu for {join_names(other_kinds)}" if other_kinds else ""
    return "; ".join(filter(None, (refresh, update)))


def _oldest(inputs: Inputs) -> Mapping[str, str]:
    """The oldest date of the evidence for facts of each kind; a date in the far future if there are none."""
    catalog = inputs.catalog
    regions = {cluster.region for cluster in inputs.clusters}
    minors = {minor(cluster.kubernetes) for cluster in inputs.clusters}
    sizes: set[tuple[str, str]] = set()
    for cluster, pool in inputs.placements():
        sizes.update((sku.name, cluster.region) for sku in pool.skus)
    days = {
        "Kubernetes versions": [_day(catalog, "kubernetes", name) for name in minors],
        "availability": chain.from_iterable(_listed(catalog, region).values() for region in regions),
        "prices": [_day(catalog, "prices", region) for region in regions],
        "regions": [_day(catalog, "regions", region) for region in regions],
        "sizes": [_size_day(catalog, *size) for size in sizes],
    }
    return {kind: min(ages, default=_NO_AGE) for kind, ages in days.items()}


def _day(catalog: Catalog, kind: str, name: str) -> str:
    row = catalog.facts(kind, name)
    return evidence_day(row) if row else _NO_AGE


def _listed(catalog: Catalog, region: str) -> Mapping[str, str]:
    """The dates of Azure's lists for a region, by part of its row."""
    row = catalog.facts("availability", region) or {}
    return {part: row[part]["date"] for part in ("sizes", "kubernetes", "quota") if part in row}


def _size_day(catalog: Catalog, size: str, region: str) -> str:
    """The date of the evidence for a size. A refresh compares all listed sizes, but writes only facts that differ."""
    row = catalog.facts("availability", region) or {}
    listed = row.get("sizes", {"listed": ()})
    return max(_day(catalog, "skus", size), listed["date"] if size in listed["listed"] else "")


def _unused_lists(inputs: Inputs) -> Iterator[Diagnostic]:
    """Notes about lists of one subscription that are not used: clusters of several subscriptions are in that region."""
    for region, clusters in mixed_regions(inputs.clusters).items():
        if not {"sizes", "quota"}.isdisjoint(_listed(inputs.catalog, region)):
            names = join_names([cluster.name for cluster in clusters])
            message = (
                f"restrictions, zones and quotas that `gitgpu catalog refresh` wrote for {region} are not used: they "
                f"apply to one subscription, but {names} belong to {len(clusters)}"
            )
            remedy = "describe the clusters of each subscription in a separate fleet with its own catalog"
            origin = clusters[1].origin  # of the second subscription that was found
            place = origin.span(("spec", "resourceId"))
            yield Diagnostic("CAT019", Severity.INFO, message, remedy, place, "/spec/resourceId", origin.ref)
