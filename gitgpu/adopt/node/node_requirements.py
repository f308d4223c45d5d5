"""Converts the requirements of a NodePool to keys of a GpuPool; `nodeRequirements` gets those without a key."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from gitgpu.adopt.adoption import GpuNodes
from gitgpu.adopt.node.sizes import size_keys
from gitgpu.conform.node.node_pools import Entry
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import OS_DISK_GB
from gitgpu.model.size.node_labels import LOCAL_DISK, NAMES, labels
from gitgpu.model.syntax.requirement import Requirement, joined
from gitgpu.source import Pointer

Labels: TypeAlias = Mapping[str, Requirement]
CAPACITY, ZONE = "karpenter.sh/capacity-type", "topology.kubernetes.io/zone"
PLACEMENT = "karpenter.azure.com/placement-scope"
TYPES = ("spot", "on-demand")  # cheapest first, as Karpenter prefers them
_DERIVED = (*NAMES, CAPACITY, ZONE, PLACEMENT)  # only in `nodeRequirements` if that has all requirements
PLACES: Mapping[str, Pointer] = {
    CAPACITY: ("spec", "capacity"),
    ZONE: ("spec", "zones"),
    PLACEMENT: ("spec", "placement"),
    LOCAL_DISK: ("spec", "image", "ephemeralOSDisk"),
}


class PoolRequirements(NamedTuple):
    """The requirements of a NodePool, the region of its cluster, and the OS disk size (GB) of its node class."""

    entries: Sequence[Entry]
    region: str
    disk: int | None


def requirement_keys(wanted: PoolRequirements, nodes: GpuNodes, catalog: Catalog) -> dict[str, Any]:
    """The keys of a GpuPool that generate these requirements; if no keys do, the requirements as they are."""
    together = joined(entry.meaning for entry in wanted.entries if entry.meaning)
    sizes = size_keys(nodes.skus, catalog, named=_names_sizes(wanted.entries))
    keys: dict[str, Any] = dict(sizes or {})
    keys["capacity"] = capacity_types(wanted)
    if zones := zones_of(together.get(ZONE), wanted.region):
        keys["zones"] = zones
    if placement := _only(together.get(PLACEMENT)):
        keys["placement"] = placement
    if any(_is_disk(entry, wanted) for entry in wanted.entries):
        keys["image"] = {"ephemeralOSDisk": True}
    of_sizes = [labels(sku) for sku in nodes.skus]
    rest = [_written(entry) for entry in wanted.entries if not _is_covered(entry, wanted, (of_sizes, keys))]
    if sizes is None or _is_lossy(keys, rest, of_sizes) or not keys["capacity"]:
        return exact_keys(wanted)
    return {**keys, **({"nodeRequirements": rest} if rest else {})}


def _is_lossy(keys: Mapping[str, Any], rest: Sequence[Mapping[str, Any]], of_sizes: Sequence[Labels]) -> bool:
    """Whether the keys would lose a requirement: `requirements` become a list of names, without sizes added later."""
    chosen = keys.get("requirements", {})
    names: set[str] = set().union(*of_sizes) if chosen else set()
    return "series" in chosen or any(entry["key"] in (*_DERIVED, *names) for entry in rest)


def exact_keys(wanted: PoolRequirements) -> dict[str, Any]:
    """All requirements as the NodePool has them; sizes, capacity and zones follow from them."""
    return {"nodeRequirements": [_written(entry) for entry in wanted.entries]}


def capacity_types(wanted: PoolRequirements) -> list[str]:
    """The capacity types that the requirements allow."""
    together = joined(entry.meaning for entry in wanted.entries if entry.meaning)
    return [kind for kind in TYPES if CAPACITY not in together or together[CAPACITY].takes(kind)]


def zones_of(wanted: Requirement | None, region: str) -> list[str]:
    """The numbers of the zones that a requirement lists; [] if it lists zones of another region."""
    if not wanted or wanted.operator != "In":
        return []
    numbers = [value.removeprefix(f"{region}-") for value in sorted(wanted.values)]
    return numbers if all(map(str.isdigit, numbers)) else []


def _names_sizes(entries: Sequence[Entry]) -> bool:
    return any(entry.key in NAMES and entry.operator == "In" for entry in entries)


def _only(wanted: Requirement | None) -> str:
    return next(iter(wanted.values)) if wanted and wanted.operator == "In" and len(wanted.values) == 1 else ""


def _is_disk(entry: Entry, wanted: PoolRequirements) -> bool:
    """Whether a requirement asks for a local disk that is large enough for the OS disk, as `ephemeralOSDisk` does."""
    least = (OS_DISK_GB if wanted.disk is None else wanted.disk) - 1
    return (entry.key, entry.operator, entry.values) == (LOCAL_DISK, "Gt", (str(least),))


def _is_covered(entry: Entry, wanted: PoolRequirements, covering: tuple[Sequence[Labels], Mapping[str, Any]]) -> bool:
    """Whether another key of the spec covers a requirement, or all the sizes meet it anyway."""
    of_sizes, written = covering
    if entry.meaning is None or entry.meaning.minimum is not None:
        return False
    keys = {CAPACITY: "capacity", ZONE: "zones", PLACEMENT: "placement"}
    if entry.key in keys:
        return keys[entry.key] in written
    return _is_disk(entry, wanted) or is_implied(entry.meaning, of_sizes)


def is_implied(wanted: Requirement, sizes: Sequence[Labels]) -> bool:
    """Whether all nodes of these sizes meet a requirement; `sizes` are the labels of each size."""
    labels_of_key = (of_size.get(wanted.key) for of_size in sizes)
    return all(label is not None and _within(label, wanted) for label in labels_of_key)


def _within(label: Requirement, wanted: Requirement) -> bool:
    if label.operator == "In":
        return bool(label.values) and all(wanted.takes(value) for value in label.values)
    return label.operator == "DoesNotExist" and wanted.operator in ("DoesNotExist", "NotIn")


def _written(entry: Entry) -> dict[str, Any]:
    return dict(_parts(entry))


def _parts(entry: Entry) -> Iterator[tuple[str, Any]]:
    yield from (("key", entry.key), ("operator", entry.operator))
    if entry.values:
        yield "values", list(entry.values)
    if entry.meaning and entry.meaning.minimum is not None:
        yield "minValues", entry.meaning.minimum
