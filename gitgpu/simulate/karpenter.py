"""NodePools of Karpenter and their AKSNodeClasses as groups of nodes."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.conform.demands import demands
from gitgpu.conform.nodeclasses import GROUP, KIND
from gitgpu.conform.nodepools import LABELS, REQUIREMENTS, SPEC, NodePool, matching, node_class, node_pools, terms
from gitgpu.conform.objects import Item, Objects, reach
from gitgpu.conform.placement import POOL
from gitgpu.model.fleet import OS_DISK_GB
from gitgpu.model.quantity import quantity
from gitgpu.model.sku import Sku
from gitgpu.schedule.capacity import capacity
from gitgpu.schedule.requirement import Requirement, Requirements, requirement
from gitgpu.schedule.room import room
from gitgpu.schedule.size import Terms, labels, left_out
from gitgpu.simulate.group import Barred, Maker, NodeGroup
from gitgpu.simulate.market import Market
from gitgpu.simulate.overhead import Daemon, after, reaching
from gitgpu.simulate.sharing import Shared, held, shared
from gitgpu.simulate.shelf import NodeType, Shelf
from gitgpu.simulate.slicing import Sliced, cut, sliced
from gitgpu.source import Pointer

_BY_AKS = "default"  # the node class that AKS makes itself
_GB = 10**9
_REGION = "topology.kubernetes.io/region"
_SYSTEM, _MODE, _FIPS = (f"kubernetes.azure.com/{key}" for key in ("os-sku", "mode", "fips_enabled"))


class World(NamedTuple):
    """What is the same for all groups of a cluster. `every` are its DaemonSets, `shelves` those that were filled."""

    objects: Objects
    market: Market
    every: tuple[Any, ...]
    max_pods: int
    shelves: dict[Any, Shelf]


class _Node(NamedTuple):
    """What a node class and a pool say of every node, whatever its size."""

    asked: Terms
    disk: int
    max_pods: int
    found: tuple[Daemon, ...]
    shares: tuple[Shared, ...]
    cuts: Sliced | None


def karpenter_groups(world: World) -> Iterator[NodeGroup]:
    """Every NodePool that can be read."""
    known = frozenset(world.objects.catalog.must("placement", "aks")["wellKnown"])
    for pool in node_pools(world.objects):
        yield _group(pool, known, world)


def _group(pool: NodePool, known: frozenset[str], world: World) -> NodeGroup:
    objects, market = world.objects, world.market
    owner = node_class(pool, objects)
    node = {**pool.together, POOL: requirement(POOL, "In", [pool.name])}
    taints = tuple(pool.taints)
    found = reaching(world.every, node, taints, known, objects)
    spec = (reach(owner.body, "spec") or {}) if owner else {}
    size = spec.get("osDiskSizeGB") or OS_DISK_GB, spec.get("maxPods") or world.max_pods
    shelf = _shelf(_Node(terms(owner), *size, found, shared(node, objects), sliced(node, objects)), world)
    slots = market.meeting(node)
    fixed = reach(pool.item.body, "spec", "replicas")
    return NodeGroup(
        name=pool.name,
        maker=Maker.KARPENTER if fixed is None else Maker.NOBODY,
        item=pool.item,
        node=node,
        known=known,
        taints=taints,
        shelf=shelf,
        types=shelf.meeting(node.values()) & shelf.selling(slots),
        slots=slots,
        limits=_limits(pool),
        minimum={one.key: one.minimum for one in node.values() if one.minimum},
        weight=reach(pool.item.body, "spec", "weight") or 0,
        spots=_spots(pool),
        least=fixed or 0,
        barred=_barred(pool, owner, objects),
    )


def _shelf(node: _Node, world: World) -> Shelf:
    key = (*node._replace(found=()), repr(node.found))
    if key not in world.shelves:
        skus = (sku for sku in world.objects.catalog.skus if not left_out(sku, node.asked))
        world.shelves[key] = Shelf([_type(sku, node, world) for sku in skus], world.market)
    return world.shelves[key]


def _type(sku: Sku, node: _Node, world: World) -> NodeType:
    more = {"ephemeral-storage": Decimal(node.disk * _GB), "pods": Decimal(node.max_pods)}
    own = {**labels(sku), **_constant(node.asked, world)}
    counts = {**capacity(sku), **more, "nodes": Decimal(1)}
    offers = after({**room(sku), **more}, node.found, own)
    return NodeType(sku, own, offers, held(cut(offers, node.cuts, sku), node.shares), counts)


def _constant(asked: Terms, world: World) -> dict[str, Requirement]:
    """The labels that all nodes of a node class have."""
    facts = world.objects.catalog.must("labels", "karpenter")["values"]
    systems = next(row["values"] for row in facts if row["key"] == _SYSTEM)
    said = {
        _REGION: [world.market.region] if world.market.region else [],
        _SYSTEM: [name for name in systems if asked.image_family.startswith(name)],
        _MODE: next(row["values"] for row in facts if row["key"] == _MODE),
    }
    found = {key: requirement(key, "In", values) for key, values in said.items() if values}
    return {**found, _FIPS: requirement(_FIPS, "In", ["true"]) if asked.fips else requirement(_FIPS, "DoesNotExist")}


def _limits(pool: NodePool) -> dict[str, Decimal]:
    found: dict[str, Decimal] = {}
    for name, amount in pool.limits.items():
        try:
            found[name] = quantity(amount)
        except ValueError:
            continue
    return found


def _spots(pool: NodePool) -> dict[str, Pointer]:
    keys: Mapping[str, Pointer] = {demand.key: demand.place for demand in demands(pool)}
    fixed: dict[str, Pointer] = {
        "requirements": REQUIREMENTS,
        "taints": (*SPEC, "taints"),
        "labels": LABELS,
        "limits": ("spec", "limits"),
        "class": (*SPEC, "nodeClassRef"),
    }
    return {**fixed, **keys}


def _barred(pool: NodePool, owner: Item | None, objects: Objects) -> Barred | None:
    """Why no node of the pool ever starts: its class is missing, or nothing is left of its sizes."""
    places = pool.item.given.places
    name = reach(pool.item.body, *SPEC, "nodeClassRef", "name") or ""
    if owner is None and name != _BY_AKS and objects.knows(GROUP, KIND):
        message = f"its AKSNodeClass {name} is not there, so the NodePool never becomes ready"
        return Barred(
            "class",
            message,
            "add the AKSNodeClass, or correct nodeClassRef.name",
            places.span((*SPEC, "nodeClassRef", "name")),
        )
    unread = next((one for one in pool.entries if one.meaning is None), None)
    if unread:
        message = f"its requirement on {unread.key} cannot be read, so the NodePool never becomes ready"
        return Barred("class", message, "give the bound as a whole number", places.span(unread.pointer))
    return _no_size(pool, owner, objects)


def _no_size(pool: NodePool, owner: Item | None, objects: Objects) -> Barred | None:
    asked = terms(owner)
    found = matching(pool, objects)
    if not found or any(not left_out(sku, asked) for sku in found):
        return None
    first = found[0]
    message = f"no node of {first.name} ever starts: {left_out(first, asked)}"
    at = pool.item.given.places.span(_spots(pool).get("karpenter.azure.com/sku-name", REQUIREMENTS))
    remedy = "choose other sizes, or change the AKSNodeClass"
    return Barred("size", message, remedy, at)


def fixed_labels(texts: Mapping[str, str]) -> Requirements:
    """Labels that are set, as requirements."""
    return {key: requirement(key, "In", [value]) for key, value in texts.items()}
