"""Rows of availability: the sizes, versions and quotas that a subscription has in a region."""

from collections.abc import Iterable, Iterator, Mapping

from gitgpu.model.catalog import Catalog
from gitgpu.model.spec.quota import CORES, SPOT_CORES, plain
from gitgpu.refresh.answers.quotas import Limit
from gitgpu.refresh.answers.sizes import ListedSize
from gitgpu.refresh.answers.versions import OfferedVersion
from gitgpu.refresh.row import CatalogUpdate, OwnedRow, Unknown, contradiction

KIND = "availability"
_SKUS = "https://learn.microsoft.com/cli/azure/vm#az-vm-list-skus"
_USAGE = "https://learn.microsoft.com/cli/azure/vm#az-vm-list-usage"
_VERSIONS = "https://learn.microsoft.com/cli/azure/aks#az-aks-get-versions"


def listed_sizes(offered: Iterable[ListedSize], catalog: Catalog, day: str) -> CatalogUpdate:
    """The sizes of each region; those that the catalog does not have are `unknown` if they have GPUs."""
    regions: dict[str, dict[str, ListedSize]] = {}
    unknown, faults = [], []
    for size in offered:
        name = catalog.sku_names.get(size.name.lower())
        if name is None:
            if size.has_gpus:
                unknown.append(Unknown("size", size.name, size.item.span()))
            continue
        if catalog.facts("regions", size.region) is None:
            unknown.append(Unknown("region", size.region, size.item.span("locations")))
            continue
        first = regions.setdefault(size.region, {}).setdefault(name, size)
        if (first.zones, first.restricted) != (size.zones, size.restricted):
            faults.append(
                contradiction(f"{name} has other zones or restrictions in {size.region}", first.item, size.item)
            )
    rows = tuple(_row(region, "sizes", _sizes(sizes, day), _SKUS, day) for region, sizes in sorted(regions.items()))
    return CatalogUpdate(rows, tuple(_once(unknown)), tuple(faults))


def _once(unknown: Iterable[Unknown]) -> Iterator[Unknown]:
    seen: dict[tuple[str, str], Unknown] = {}
    for fact in unknown:
        seen.setdefault((fact.kind, fact.name.lower()), fact)
    yield from seen.values()


def _sizes(sizes: Mapping[str, ListedSize], day: str) -> dict[str, object]:
    listed = {name: {"zones": list(size.zones), "restricted": size.restricted} for name, size in sorted(sizes.items())}
    return {"date": day, "listed": listed}


def offered_versions(by_region: Mapping[str, Iterable[OfferedVersion]], day: str) -> CatalogUpdate:
    """The Kubernetes versions of each region."""
    rows = []
    faults = []
    for region, versions in sorted(by_region.items()):
        minors: dict[str, OfferedVersion] = {}
        for version in versions:
            first = minors.setdefault(version.minor, version)
            if first[:-1] != version[:-1]:
                faults.append(contradiction(f"Kubernetes {version.minor} in {region}", first.item, version.item))
        ordered = sorted(minors.values(), key=lambda version: int(version.minor.partition(".")[2]))
        facts = {offered.minor: _version(offered) for offered in ordered}
        rows.append(_row(region, "kubernetes", {"date": day, "versions": facts}, _VERSIONS, day))
    return CatalogUpdate(tuple(rows), faults=tuple(faults))


def _version(offered: OfferedVersion) -> dict[str, object]:
    return {"patches": list(offered.patches), "preview": offered.preview, "support": list(offered.support)}


def known_limits(by_region: Mapping[str, Iterable[Limit]], catalog: Catalog, day: str) -> CatalogUpdate:
    """The quotas of each region that apply to GPU sizes. Usage is omitted, because it changes every hour."""
    families = (sku.row["quotaFamily"] for sku in catalog.skus)
    wanted = set(map(plain, [CORES, SPOT_CORES, *filter(None, families)]))
    rows = []
    faults = []
    for region, limits in sorted(by_region.items()):
        kept: dict[str, Limit] = {}
        for limit in limits:
            if plain(limit.name) not in wanted:
                continue
            first = kept.setdefault(plain(limit.name), limit)
            if first.limit != limit.limit:
                faults.append(contradiction(f"the quota {limit.name} in {region}", first.item, limit.item))
        facts = {limit.name: limit.limit for _, limit in sorted(kept.items())}
        if facts:
            rows.append(_row(region, "quota", {"date": day, "limits": facts}, _USAGE, day))
    return CatalogUpdate(tuple(rows), faults=tuple(faults))


def _row(region: str, key: str, value: Mapping[str, object], source: str, day: str) -> OwnedRow:
    return OwnedRow(KIND, region, False, {key: value}, source, day)
