"""A running cluster as the inference reads it: its valid objects as rules see them, and its pools with their nodes."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import attrgetter
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, value_at
from gitgpu.adopt.adoption import GpuNodes
from gitgpu.adopt.node.unknown_fields import without
from gitgpu.diagnostic import Places
from gitgpu.inventory.observed import Observed, ObservedCluster
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.groups import (
    AMD_GROUP,
    ARGO_GROUP,
    AZURE_MONITORING_GROUP,
    CONTAINER_SERVICE_GROUP,
    FLUX_HELM_GROUP,
    FLUX_SOURCE_GROUP,
    GITGPU_GROUP,
    KAITO_GROUP,
    KARPENTER_AZURE_GROUP,
    KARPENTER_GROUP,
    KEDA_GROUP,
    MELLANOX_GROUP,
    MONITORING_GROUP,
    NVIDIA_GROUP,
    RESOURCE_GROUP,
)
from gitgpu.model.names.kinds import HELM_VALUES
from gitgpu.objects.gitops.chart_values import operators
from gitgpu.objects.items import gather, item_of
from gitgpu.objects.node.agent_pools import AgentPool
from gitgpu.objects.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Given, Item, Objects, identity
from gitgpu.objects.schema.contract import Scope, api_group
from gitgpu.objects.software.operands import is_operand
from gitgpu.objects.workload.known_kinds import WORKLOADS
from gitgpu.objects.workload.moved_places import MovedPlaces
from gitgpu.plan.decided.registry import Registry
from gitgpu.rules.norms import norms
from gitgpu.source import Pointer, SourceMap, Span

_GROUPS = {
    "apps",
    "batch",
    RESOURCE_GROUP,
    KARPENTER_GROUP,
    KARPENTER_AZURE_GROUP,
    CONTAINER_SERVICE_GROUP,
    GITGPU_GROUP,  # of HelmValues, gitgpu's own kind for releases of charts
    NVIDIA_GROUP,
    AMD_GROUP,
    MELLANOX_GROUP,
    KAITO_GROUP,
    KEDA_GROUP,
    "autoscaling",
    MONITORING_GROUP,
    AZURE_MONITORING_GROUP,
    FLUX_HELM_GROUP,
    FLUX_SOURCE_GROUP,
    ARGO_GROUP,
    *(group for group, _ in WORKLOADS if group),  # other workloads than pods
}  # the API groups of kinds that are evidence for the stack
_DELIVERING = (FLUX_HELM_GROUP, FLUX_SOURCE_GROUP, ARGO_GROUP)
_VALUES_KEYS = (
    "apiVersion",
    "kind",
    "chart",
    "values",
    "version",
    "namespace",
    "release",
    "whole",
    "id",
    "of",
    "filesLast",
)


class _Numbered(NamedTuple):
    """The places of an object, and its index in the cluster, because two objects may have the same places."""

    number: int
    places: Places

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value."""
        return self.places.span(pointer, key=key)


class PoolNodes(NamedTuple):
    """A pool, and its nodes as the rules see them: `karpenter` of a NodePool, `agent` of an AKS node pool."""

    pool: GpuNodes
    karpenter: GpuPool | None
    agent: AgentPool | None
    maker: str

    @property
    def windows(self) -> bool:
        """Whether its nodes run Windows."""
        return self.agent is not None and self.agent.os_type == "Windows"

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels that its nodes are created with."""
        if self.agent:
            return mapping_at(self.agent.spec, "nodeLabels")
        return self.karpenter.pool.labels if self.karpenter else {}

    @property
    def nodes(self) -> Observed:
        """The object that creates the nodes."""
        return self.pool.observed


class View(NamedTuple):
    """One cluster. `bare` is the cluster itself, for evidence without an object; `drivers` are its pools' drivers.

    `registry` is the cluster's own registry, if that is certain.
    """

    cluster: ObservedCluster
    objects: Objects
    catalog: Catalog
    pools: tuple[PoolNodes, ...]
    bare: Observed
    drivers: Mapping[str, str] = {}
    registry: Registry = Registry()

    def original(self, item: Item) -> Observed:
        """The object as it was read, for an object as rules see it."""
        places = item.given.places
        if isinstance(places, MovedPlaces):
            places = places.places
        return self.cluster.objects[places.number] if isinstance(places, _Numbered) else self.bare

    def has(self, *drivers: str) -> bool:
        """Whether a pool has one of these drivers. Windows nodes do not count: gitgpu installs nothing on them."""
        windows = {nodes.pool.name for nodes in self.pools if nodes.windows}
        return any(driver in drivers for name, driver in self.drivers.items() if name not in windows)


def bare_view(cluster: ObservedCluster, catalog: Catalog) -> View:
    """The cluster without pools, and without objects that an API server would reject."""
    span = cluster.azure.span or next((observed.places.span() for observed in cluster.objects), Span("", 1, 1))
    name = f"cluster {cluster.name}" if cluster.name else "the cluster"
    return View(cluster, sound_objects(cluster, catalog), catalog, (), Observed({}, SourceMap.of(span), name, ""))


def with_pools(bare: View, pools: Sequence[GpuNodes]) -> View:
    """The cluster with these pools, sorted by name."""
    objects = bare.objects
    by_name = {pool.name: pool for pool in gpu_pools(objects)}
    sorted_nodes = tuple(_nodes(nodes, by_name, objects) for nodes in sorted(pools, key=attrgetter("name")))
    return bare._replace(pools=sorted_nodes)


def sound_objects(cluster: ObservedCluster, catalog: Catalog) -> Objects:
    """The objects of a cluster that match their contracts, of the kinds that are evidence about GPU software.

    DaemonSets of the GPU Operator are evidence if nothing else in the input configures it.
    """
    run_norms = norms(Schemas(), catalog)
    minor = run_norms.contracts.clamp(cluster.azure.kubernetes or "")
    items = [_running(given, minor, run_norms) for given in _given(cluster)]
    others = [item for item in items if not is_operand(item.body)]
    objects = gather(others, minor, run_norms, closed=False)
    if len(others) == len(items) or any(operators(objects)):
        return objects
    return gather(items, minor, run_norms, closed=False)


def _running(given: Given, minor: str, norms: Norms) -> Item:
    """An object as rules see it. It may have fields that are newer than gitgpu's contract of its kind.

    Such a field is kept for the rules if it is text or a flat mapping, and omitted otherwise. A release of a chart may
    lack fields such as its interval: a tool may add them, and they say nothing about the chart.
    """
    item, _ = item_of(given, minor, norms)
    if item.sound:
        return item
    contract = norms.contracts.find(minor, str(given.body.get("apiVersion", "")), item.identity.kind)
    faults = contract.faults(given.body)
    if api_group(str(given.body.get("apiVersion", ""))) in _DELIVERING and not contract.faults(given.body, patch=True):
        return item._replace(sound=True)
    if not faults or not all(fault.at_key for fault in faults):
        return item
    bare = reduce(without, (fault.pointer for fault in faults), given.body)
    plain, _ = item_of(given._replace(body=bare), minor, norms)
    odd = [fault.pointer for fault in faults if not _is_flat(value_at(given.body, fault.pointer))]
    return plain._replace(given=given._replace(body=reduce(without, odd, given.body)))


def _is_flat(value: Any) -> bool:
    """Whether a value is text, or a mapping of texts."""
    texts = value.values() if isinstance(value, dict) else (value,)
    return all(isinstance(text, str) for text in texts)


def _given(cluster: ObservedCluster) -> Iterator[Given]:
    """The objects that are evidence for the stack, as rules take them, each with its index."""
    for number, observed in enumerate(cluster.objects):
        body = dict(observed.body)
        kind, family = str(body.get("kind")), api_group(str(body.get("apiVersion", "")))
        if kind == HELM_VALUES.kind:
            body = {key: body[key] for key in _VALUES_KEYS if key in body}
        if family in _GROUPS or kind == "ConfigMap":
            yield Given(body, _Numbered(number, observed.places))


def _nodes(pool: GpuNodes, by_name: Mapping[str, GpuPool], objects: Objects) -> PoolNodes:
    if not pool.by_karpenter:
        agent = agent_pool(pool.observed)
        return PoolNodes(pool, None, agent, _maker(None, agent, objects))
    karpenter = by_name.get(pool.name)
    return PoolNodes(pool, karpenter, None, _maker(karpenter, None, objects))


def agent_pool(observed: Observed) -> AgentPool:
    """An AKS node pool as it is, including settings that Azure Service Operator does not support."""
    body = dict(observed.body)
    item = Item(Given(body, observed.places), identity(body), Scope.NAMESPACED)
    spec = mapping_at(body, "spec")
    azure_name = str(spec.get("azureName") or "")
    at: Pointer = ("spec", "azureName") if azure_name else ("metadata", "name")
    return AgentPool(item, ("spec",), spec, azure_name or item.identity.name, at)


def _maker(karpenter: GpuPool | None, agent: AgentPool | None, objects: Objects) -> str:
    if karpenter:
        return karpenter.maker or "nvidia"
    sizes = agent.sizes(objects) if agent else ()
    makers = {sku.manufacturer for _, _, sku in sizes if sku}
    return makers.pop() if len(makers) == 1 else "nvidia"
