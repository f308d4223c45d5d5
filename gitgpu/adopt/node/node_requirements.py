"""Converts the requirements of a NodePool to keys of a GpuPool; `nodeRequirements` gets those without a key."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from gitgpu.adopt.adoption import GpuNodes
from gitgpu.adopt.node.sizes import size_keys
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import OS_DISK_GB
from gitgpu.model.names.labels import CAPACITY_TYPE_LABEL, PLACEMENT_SCOPE_LABEL, ZONE_LABEL
from gitgpu.model.size.node_labels import LOCAL_DISK, NAMES, labels
from gitgpu.model.syntax.requirement import Requirement, intersect
from gitgpu.objects.node.node_pools import Entry
from gitgpu.plan.fields.node_pool import REQUIRED

Labels: TypeAlias = Mapping[str, Requirement]
TYPES = ("spot", "on-demand")  # cheapest first, as Karpenter prefers them
# Only in `nodeRequirements` if that has all requirements.
_DERIVED = (
    *NAMES,
    CAPACITY_TYPE_LABEL,
    ZONE_LABEL,
    PLACEMENT_SCOPE_LABEL,
)


class PoolRequirements(NamedTuple):
    """The requirements of a NodePool, the region of its cluster, and the OS disk size (GB) of its node class."""

    entries: Sequence[Entry]
    region: str
    disk: int | None


def requirement_keys(requirements: PoolRequirements, nodes: GpuNodes, catalog: Catalog) -> dict[str, Any]:
    """The keys of a GpuPool that generate these requirements; if no keys do, the requirements as they are."""
    together = intersect(entry.meaning for entry in requirements.entries if entry.meaning)
    sizes = size_keys(nodes.skus, catalog, named=_names_sizes(requirements.entries))
    keys: dict[str, Any] = dict(sizes or {})
    keys["capacity"] = capacity_types(requirements)
    if zones := zones_of(together.get(ZONE_LABEL), requirements.region):
        keys["zones"] = zones
    if placement := _only(together.get(PLACEMENT_SCOPE_LABEL)):
        keys["placement"] = placement
    if any(_is_disk(entry, requirements) for entry in requirements.entries):
        keys["image"] = {"ephemeralOSDisk": True}
    size_labels = [labels(sku) for sku in nodes.skus]
    covering = _Covering(keys, size_labels, requirements)
    rest = [_written(entry) for entry in requirements.entries if not _is_covered(entry, covering)]
    if sizes is None or _is_lossy(keys, rest, size_labels) or not keys["capacity"]:
        return exact_keys(requirements)
    return keys | {"nodeRequirements": rest} if rest else keys


def _is_lossy(keys: Mapping[str, Any], rest: Sequence[Mapping[str, Any]], size_labels: Sequence[Labels]) -> bool:
    """Whether the keys would lose a requirement: `requirements` become a list of names, without sizes added later."""
    chosen = keys.get("requirements", {})
    names: set[str] = set().union(*size_labels) if chosen else set()
    return "series" in chosen or any(entry["key"] in (*_DERIVED, *names) for entry in rest)


def exact_keys(requirements: PoolRequirements) -> dict[str, Any]:
    """All requirements as the NodePool has them; sizes, capacity and zones follow from them."""
    return {"nodeRequirements": [_written(entry) for entry in requirements.entries]}


def capacity_types(requirements: PoolRequirements) -> list[str]:
    """The capacity types that the requirements allow."""
    together = intersect(entry.meaning for entry in requirements.entries if entry.meaning)
    required = together.get(CAPACITY_TYPE_LABEL)
    return [kind for kind in TYPES if required is None or required.takes(kind)]


def zones_of(requirement: Requirement | None, region: str) -> list[str]:
    """The numbers of the zones that a requirement lists; [] if it lists zones of another region."""
    if not requirement or requirement.operator != "In":
        return []
    numbers = [value.removeprefix(f"{region}-") for value in sorted(requirement.values)]
    return numbers if all(map(str.isdigit, numbers)) else []


def _names_sizes(entries: Sequence[Entry]) -> bool:
    return any(entry.key in NAMES and entry.operator == "In" for entry in entries)


def _only(requirement: Requirement | None) -> str:
    if requirement and requirement.operator == "In" and len(requirement.values) == 1:
        return next(iter(requirement.values))
    return ""


def _is_disk(entry: Entry, requirements: PoolRequirements) -> bool:
    """Whether a requirement asks for a local disk that is large enough for the OS disk, as `ephemeralOSDisk` does."""
    minimum = (OS_DISK_GB if requirements.disk is None else requirements.disk) - 1
    return (entry.key, entry.operator, entry.values) == (LOCAL_DISK, "Gt", (str(minimum),))


class _Covering(NamedTuple):
    """What can cover a requirement: the keys in the spec so far, and the labels of the sizes of the pool."""

    keys: Mapping[str, Any]
    size_labels: Sequence[Labels]
    requirements: PoolRequirements


def _is_covered(entry: Entry, covering: _Covering) -> bool:
    """Whether another key in the spec covers a requirement, or all the sizes meet it anyway."""
    # Only a requirement itself can have minValues.
    if entry.meaning is None or entry.meaning.minimum is not None:
        return False
    key = REQUIRED.get(entry.key)
    if key and entry.key != LOCAL_DISK:
        return key[0] in covering.keys
    return _is_disk(entry, covering.requirements) or is_implied(entry.meaning, covering.size_labels)


def is_implied(requirement: Requirement, sizes: Sequence[Labels]) -> bool:
    """Whether all nodes of these sizes meet a requirement; `sizes` are the labels of each size."""
    labels_of_key = (labels_of_size.get(requirement.key) for labels_of_size in sizes)
    return all(label is not None and _within(label, requirement) for label in labels_of_key)


def _within(label: Requirement, requirement: Requirement) -> bool:
    if label.operator == "In":
        return bool(label.values) and all(requirement.takes(value) for value in label.values)
    return label.operator == "DoesNotExist" and requirement.operator in ("DoesNotExist", "NotIn")


def _written(entry: Entry) -> dict[str, Any]:
    return dict(_parts(entry))


def _parts(entry: Entry) -> Iterator[tuple[str, Any]]:
    yield from (("key", entry.key), ("operator", entry.operator))
    if entry.values:
        yield "values", list(entry.values)
    if entry.meaning and entry.meaning.minimum is not None:
        yield "minValues", entry.meaning.minimum
