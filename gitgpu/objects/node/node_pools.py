"""NodePools as rules read them: what their nodes would be, and which catalog sizes are possible."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.kinds import AKS_NODE_CLASS, NODE_POOL
from gitgpu.model.names.prefixes import AKS_PREFIX, KARPENTER_AZURE_PREFIX
from gitgpu.model.size.gpu_requirements import listed_names, only_gpu_sizes
from gitgpu.model.size.node_labels import KEYS, NAMES, labels
from gitgpu.model.sku import Sku
from gitgpu.model.software.node_images import fips_architectures
from gitgpu.model.syntax.requirement import OLD_NAMES, Requirement, Requirements, clash, intersect, requirement
from gitgpu.objects.objects import Item, Objects
from gitgpu.schedule.excluded_sizes import Terms, why_left_out
from gitgpu.source import Pointer

SPEC: Pointer = ("spec", "template", "spec")
LABELS: Pointer = ("spec", "template", "metadata", "labels")
REQUIREMENTS: Pointer = (*SPEC, "requirements")
AZURE_DOMAINS = (KARPENTER_AZURE_PREFIX, AKS_PREFIX)  # of labels that only AKS nodes have


class Entry(NamedTuple):
    """One entry of spec.template.spec.requirements: its place, its parts as written, and what it means.

    `placed` are the values, each with its place.
    """

    pointer: Pointer
    key: str
    operator: str
    values: tuple[str, ...]
    meaning: Requirement | None
    placed: tuple[tuple[Pointer, str], ...]


class LabelRequirement(NamedTuple):
    """One requirement: its place, the current name of the label key, and each value with its place.

    A template label requires its own value. `meaning` is None for a bound that is not an integer.
    """

    pointer: Pointer
    key: str
    operator: str
    values: tuple[tuple[Pointer, str], ...]
    meaning: Requirement | None

    @property
    def place(self) -> Pointer:
        """The most precise place: the value if there is only one."""
        return self.values[0][0] if len(self.values) == 1 else self.pointer


@dataclass(frozen=True, eq=False)
class NodePool:
    """A NodePool of Karpenter. `together` joins its requirements and template labels, by key.

    `size_requirements` are those of them that depend on the size. `taints` are those of its nodes, without
    startupTaints, which are temporary. `for_gpus` is true if its keys say so, or every size that it names is a GPU size
    of the catalog.
    `class_name` is the name of its node class.
    """

    item: Item
    entries: tuple[Entry, ...]
    labels: Mapping[str, str]
    taints: list[Mapping[str, Any]]
    limits: Mapping[str, Any]
    together: Requirements
    size_requirements: frozenset[Requirement]
    for_gpus: bool
    class_name: str

    @property
    def name(self) -> str:
        """The name of the NodePool."""
        return self.item.identity.name

    @cached_property
    def label_requirements(self) -> tuple[LabelRequirement, ...]:
        """Every requirement of the labels of its nodes, its template labels first."""
        return tuple(_label_requirements(self))

    @cached_property
    def listed_sizes(self) -> tuple[tuple[Pointer, str], ...]:
        """Each size that it lists, and its place."""
        named = (each for each in self.label_requirements if each.key in NAMES and each.operator == "In")
        return tuple(value for each in named for value in each.values)


def node_pools(objects: Objects) -> tuple[NodePool, ...]:
    """Every NodePool for AKS with valid requirements; other rules report invalid ones."""
    all_pools = every_node_pool(objects)
    return objects.once("node pools", lambda: tuple(pool for pool in all_pools if is_for_aks(pool.item.body)))


def every_node_pool(objects: Objects) -> tuple[NodePool, ...]:
    """Every NodePool with valid requirements, also for other clouds: for what Karpenter does on every cloud."""
    return objects.once("every node pool", lambda: tuple(_node_pools(objects)))


def foreign_pools(objects: Objects) -> tuple[NodePool, ...]:
    """The NodePools for other clouds, whose sizes are unknown."""
    all_pools = every_node_pool(objects)
    return objects.once("foreign pools", lambda: tuple(pool for pool in all_pools if not is_for_aks(pool.item.body)))


def is_for_aks(body: Mapping[str, Any]) -> bool:
    """Whether a sound NodePool is for AKS: by its node class, or by its labels if the class has no group."""
    node = body["spec"]["template"]["spec"]
    owner = node["nodeClassRef"]
    if owner["group"] == AKS_NODE_CLASS.group or owner["kind"] == AKS_NODE_CLASS.kind:
        return True
    keys = [*(reach(body, *LABELS) or ()), *(entry["key"] for entry in node["requirements"])]
    return not owner["group"] and any(key.startswith(AZURE_DOMAINS) for key in keys)


def node_class(pool: NodePool, objects: Objects) -> Item | None:
    """The AKSNodeClass that a NodePool names, if it is among the objects and sound."""
    return objects.once("node classes", lambda: _node_classes(objects)).get(pool.class_name)


def terms(node_class: Item | None, catalog: Catalog) -> Terms:
    """What an AKSNodeClass requires of sizes; without a class, what its defaults require."""
    if not node_class:
        return Terms()
    spec = reach(node_class.body, "spec") or {}
    family = spec.get("imageFamily") or "Ubuntu"
    fips = spec.get("fipsMode") == "FIPS"
    return Terms(
        image_family=family,
        gpu_mode=reach(spec, "gpu", "mode") or "Driver",
        fips=fips,
        fips_for=fips_architectures(family, catalog, by_karpenter=True) if fips else (),
        artifact_streaming=reach(spec, "artifactStreaming", "enabled") is True,
        encryption_at_host=reach(spec, "security", "encryptionAtHost") is True,
        local_dns=reach(spec, "localDNS", "mode") == "Required",
    )


def matching(pool: NodePool, objects: Objects) -> tuple[Sku, ...]:
    """The GPU sizes of the catalog that meet the requirements, whether or not they are possible with a node class."""
    return objects.once_per_run(
        ("matching", pool.size_requirements), lambda: tuple(_matching(pool.size_requirements, objects))
    )


def sizes(pool: NodePool, objects: Objects) -> tuple[Sku, ...]:
    """The GPU sizes of the catalog that are possible for the pool with its node class."""
    node_terms = terms(node_class(pool, objects), objects.catalog)
    name = ("sizes", pool.size_requirements, node_terms)
    return objects.once_per_run(
        name, lambda: tuple(sku for sku in matching(pool, objects) if not why_left_out(sku, node_terms))
    )


def _node_classes(objects: Objects) -> dict[str, Item]:
    classes = list(objects.of(*AKS_NODE_CLASS))
    return {entry.identity.name: entry for entry in reversed(classes)}  # the first of a name wins


def _node_pools(objects: Objects) -> Iterator[NodePool]:
    patched = objects.patched_names(*NODE_POOL)
    for item in objects.of(*NODE_POOL):
        if item.identity.name not in patched:
            yield _node_pool(item, objects)


def _node_pool(item: Item, objects: Objects) -> NodePool:
    spec = item.body["spec"]
    node = spec["template"]["spec"]
    entries = tuple(_entry(index, entry) for index, entry in enumerate(node["requirements"]))
    template_labels = reach(spec, "template", "metadata", "labels") or {}
    meanings = [entry.meaning for entry in entries if entry.meaning]
    together = intersect([*meanings, *(requirement(key, "In", [value]) for key, value in template_labels.items())])
    size_requirements = _shared(frozenset(meaning for meaning in together.values() if meaning.key in KEYS))
    for_gpus = objects.once_per_run(("for gpus", size_requirements), lambda: only_gpu_sizes(together, objects.catalog))
    taints, limits = node.get("taints") or [], spec.get("limits") or {}
    class_name = node["nodeClassRef"]["name"]
    return NodePool(item, entries, template_labels, taints, limits, together, size_requirements, for_gpus, class_name)


def _label_requirements(pool: NodePool) -> Iterator[LabelRequirement]:
    for key, value in pool.labels.items():
        place: Pointer = (*LABELS, key)
        yield LabelRequirement(place, OLD_NAMES.get(key, key), "In", ((place, value),), requirement(key, "In", [value]))
    for entry in pool.entries:
        key = OLD_NAMES.get(entry.key, entry.key)
        yield LabelRequirement(entry.pointer, key, entry.operator, entry.placed, entry.meaning)


@lru_cache(1 << 12)
def _shared(requirements: frozenset[Requirement]) -> frozenset[Requirement]:
    """The same object for equal sets: they are keys of many look-ups, and comparing a key with itself is fast."""
    return requirements


def _matching(asked: Iterable[Requirement], objects: Objects) -> Iterator[Sku]:
    requirements = {required.key: required for required in asked}
    if names := listed_names(requirements):
        skus: Iterable[Sku | None] = map(objects.catalog.sku, sorted(names.values))
    else:
        skus = objects.catalog.skus  # only here, because it reads all rows of sizes
    for sku in skus:
        if sku and not clash(objects.once_per_run(("labels", sku.name), partial(labels, sku)), requirements):
            yield sku


def _entry(at: int, written: Mapping[str, Any]) -> Entry:
    values = tuple(map(str, written.get("values") or ()))
    return _read_entry(
        at, str(written.get("key", "")), str(written.get("operator", "")), (values, written.get("minValues"))
    )


@lru_cache(1 << 12)  # most NodePools have some entries in common with others
def _read_entry(at: int, key: str, operator: str, given: tuple[tuple[str, ...], int | None]) -> Entry:
    values, minimum = given
    try:
        meaning = requirement(key, operator, values, minimum)
    except ValueError:  # a bound that is not an integer: another rule reports it
        meaning = None
    pointer = (*REQUIREMENTS, at)
    placed = tuple(((*pointer, "values", number), value) for number, value in enumerate(values))
    return Entry(pointer, key, operator, values, meaning, placed)
