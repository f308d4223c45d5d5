"""The node pools of one side of a cluster, with what determines their nodes: node classes, sizes, limits, prices."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, reach, text_at
from gitgpu.compare.change import facts_of
from gitgpu.compare.normal_form import as_stored
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.model.catalog import Catalog
from gitgpu.model.dates import evidence_day
from gitgpu.model.names.groups import CONTAINER_SERVICE_GROUP, KARPENTER_AZURE_GROUP, KARPENTER_GROUP
from gitgpu.model.names.kinds import AKS_NODE_CLASS, MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.quantity import quantity, times
from gitgpu.objects.node.agent_pools import size_profiles
from gitgpu.objects.node.node_pools import NodePool, matching, node_pools, sizes
from gitgpu.objects.objects import Given, Item, Objects
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.schedule.capacity import capacity
from gitgpu.source import SourceMap, Span

GROUPS = {
    NODE_POOL.kind: KARPENTER_GROUP,
    MANAGED_CLUSTERS_AGENT_POOL.kind: CONTAINER_SERVICE_GROUP,
    AKS_NODE_CLASS.kind: KARPENTER_AZURE_GROUP,
}
_CLASS_NAME = ("spec", "template", "spec", "nodeClassRef", "name")
_NOWHERE = SourceMap.of(Span(""))


@dataclass(frozen=True, slots=True)
class Context:
    """What a comparison needs besides the two sides: facts, schemas, and --minutes-per-node.

    `run_cache` has results that depend only on the catalog, for all clusters of a run. `older` has the catalog of the
    first side, if that differs.
    """

    catalog: Catalog
    contracts: Contracts
    minutes: int | None = None
    older: "Context | None" = None
    run_cache: dict[Hashable, Any] = field(default_factory=dict)


class AtLimits(NamedTuple):
    """A pool at its limits. Each number is from the size for which it is largest; None is unknown.

    `price` is the hourly on-demand price in the currency of the catalog; `unpriced` are sizes whose price is unknown.
    `date` is that of the price list, or "" without a price.
    """

    nodes: int | None = None
    gpus: int | None = None
    price: Decimal | None = None
    unpriced: tuple[str, ...] = ()
    date: str = ""


UNKNOWN = AtLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """A pool of one side. `karpenter` is None for AKS node pools, and for a NodePool that does not match its schema.

    `skus` are its possible sizes, as far as they are known, `zones` the zone labels of its region; None is unknown.
    `startable` is true if Karpenter offers one of the sizes. `body` and `node_class` are objects as stored, whether or
    not they match their schemas.
    """

    object: OverlayObject
    body: Mapping[str, Any]
    karpenter: NodePool | None
    node_class: Mapping[str, Any] | None
    skus: tuple[Sku, ...]
    limits: AtLimits = UNKNOWN
    region: str = ""
    zones: tuple[str, ...] | None = None
    startable: bool = True

    @property
    def class_name(self) -> str:
        """The name of its node class; empty if the class is not among the objects."""
        return str(self.node_class["metadata"]["name"]) if self.node_class else ""

    @property
    def kind(self) -> str:
        """NodePool, or ManagedClustersAgentPool."""
        return self.object.identity.kind


def pools(overlay_objects: Iterable[OverlayObject], region: str, context: Context) -> dict[tuple[str, str], Pool]:
    """The pools among some objects, by kind and name."""
    whole = {obj.identity: obj for obj in overlay_objects if GROUPS.get(obj.identity.kind) == obj.identity.group}
    items = [_item(obj, context) for obj in whole.values()]
    sound = tuple(item for item in items if item.sound)
    objects = Objects(sound, frozenset(whole), context.catalog, {}, run_cache=context.run_cache)
    readable = {pool.name: pool for pool in node_pools(objects)}
    classes = {
        item.identity.name: item.body
        for item in items
        if item.identity.kind == AKS_NODE_CLASS.kind and item.identity.name
    }
    zones = _zones(region, context.catalog)
    prices = context.catalog.facts("prices", region)
    on_demand_prices, date = (prices["onDemand"], evidence_day(prices)) if prices else ({}, "")
    by_name: dict[tuple[str, str], Pool] = {}
    for item in items:
        if item.identity.kind in (NODE_POOL.kind, MANAGED_CLUSTERS_AGENT_POOL.kind):
            pool = _pool(item, whole[item.identity], readable, objects)
            pool = replace(pool, node_class=_class_of(pool.body, classes), region=region, zones=zones)
            by_name[pool.kind, pool.object.identity.name] = _limited(pool, on_demand_prices, date)
    return by_name


def _zones(region: str, catalog: Catalog) -> tuple[str, ...] | None:
    """The zone labels of a region; None if they are unknown."""
    row = catalog.facts("regions", region)
    if row is None or row["zones"] is None:
        return None
    return tuple(f"{region}-{number}" for number in row["zones"])


def _class_of(body: Mapping[str, Any], classes: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The node class that a NodePool names; None if it is not among the objects, or the name is not a string."""
    name = reach(body, *_CLASS_NAME)
    return classes.get(name) if isinstance(name, str) else None


def _item(obj: OverlayObject, context: Context) -> Item:
    body = as_stored(obj.body, facts_of(obj, context.catalog))
    # The schemas of custom resources do not depend on the Kubernetes version.
    contract = context.contracts.find("", str(body["apiVersion"]), obj.identity.kind)
    fits = contract.whole({**body, "apiVersion": contract.api_version or body["apiVersion"]})
    return Item(Given(body, _NOWHERE), obj.identity, Scope.CLUSTER, fits)


def _pool(item: Item, obj: OverlayObject, readable: Mapping[str, NodePool], objects: Objects) -> Pool:
    pool = readable.get(item.identity.name) if item.identity.kind == NODE_POOL.kind else None
    if pool:
        offered = sizes(pool, objects) if pool.for_gpus else ()
        skus = offered or (matching(pool, objects) if pool.for_gpus else ())
        return Pool(obj, item.body, pool, None, skus, startable=bool(offered))
    names = [reach(item.body, "spec", "vmSize"), *(text_at(profile, "size") for profile in _machines(item.body))]
    found = (objects.catalog.sku(name) for name in names if isinstance(name, str))
    return Pool(obj, item.body, None, None, tuple(sku for sku in found if sku))


def _machines(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The profiles of an AKS node pool of single virtual machines, one for each size; [] for other pools."""
    return [profile for _, profile in size_profiles(mapping_at(body, "spec"))]


def _limited(pool: Pool, prices: Mapping[str, float], date: str) -> Pool:
    counts = [(sku, _maximum(pool, sku)) for sku in pool.skus]
    counted = [(sku, count) for sku, count in counts if count is not None]
    if not pool.startable or not counted or len(counted) < len(counts):
        return pool
    # The profiles of an AKS node pool add up; a NodePool may use any of its sizes, so the largest value counts.
    total = sum if _machines(pool.body) else max
    nodes = total(count for _, count in counted)
    unpriced = tuple(sku.name for sku, _ in counted if sku.name not in prices)
    price = None
    if not unpriced:
        price = Decimal(total([Decimal(str(prices[sku.name])) * count for sku, count in counted]))
    gpus = [sku.counted_gpus * count for sku, count in counted if sku.counted_gpus is not None]
    known = len(gpus) == len(counted)
    limits = AtLimits(nodes, total(gpus) if known else None, price, unpriced, "" if price is None else date)
    return replace(pool, limits=limits)


def _maximum(pool: Pool, sku: Sku) -> int | None:
    """The maximum number of nodes of a size; None if there is no limit."""
    if pool.karpenter is None:
        own_profiles = [
            profile for profile in _machines(pool.body) if text_at(profile, "size").lower() == sku.name.lower()
        ]
        if own_profiles:
            count = own_profiles[0].get("maxCount", own_profiles[0].get("count"))
            return count if isinstance(count, int) else None
        count = reach(pool.body, "spec", "maxCount" if reach(pool.body, "spec", "enableAutoScaling") else "count")
        return count if isinstance(count, int) else None
    replicas = reach(pool.body, "spec", "replicas")
    if isinstance(replicas, int):
        return replicas
    has = {**capacity(sku), "nodes": Decimal(1)}
    bounds = [(quantity(limit), has.get(name)) for name, limit in pool.karpenter.limits.items()]
    rooms = [times(limit, amount) for limit, amount in bounds if amount]
    return min(rooms, default=None)
