"""Converts pools to documents: of two ways to write a pool, the one that changes less."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gitgpu.adopt.adoption import GpuNodes, SpecDocument, StackPart
from gitgpu.adopt.comparison import Compared, compare_nodes
from gitgpu.adopt.compiled import link_documents, node_objects
from gitgpu.adopt.field_outcomes import own_annotations, own_labels
from gitgpu.adopt.node.agent_pool import agent_pool_keys
from gitgpu.adopt.node.node_objects import Nodes, as_ours, class_name
from gitgpu.adopt.node.node_pool import Around, node_pool_keys
from gitgpu.adopt.node.provisioner import own_provisioner
from gitgpu.adopt.readable_spec import tidy
from gitgpu.adopt.valid_spec import sound
from gitgpu.compare.nodes import Context
from gitgpu.compare.snapshot import Key, OverlayObject
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL
from gitgpu.objects.objects import identity

_ELSEWHERE = (
    "gitgpu writes the node pools of a cluster in one namespace, that of most of them ({}), but this one is in {}: "
    "two objects would manage the same pool"
)


class Site(NamedTuple):
    """A cluster that is being adopted: its documents so far, its pools and its stack."""

    fleet: SpecDocument
    cluster: SpecDocument
    nodes: Nodes
    stack: StackPart

    @property
    def name(self) -> str:
        """The name of the cluster."""
        return self.cluster.name

    @property
    def region(self) -> str:
        """The region of the cluster."""
        return str(self.cluster.spec["region"])

    @property
    def driver(self) -> str:
        """The driver of pools that do not set one."""
        return str(self.stack.stack.get("driver", "aks"))


class _Draft(NamedTuple):
    """A pool with a document for it, and the reason why the schema rejects the document, or ""."""

    nodes: GpuNodes
    document: SpecDocument
    reason: str


class Chosen(NamedTuple):
    """The document of a pool, the objects that the cluster gets with it, and its cost (see `Compared.cost`).

    `reason` says why the pool is not adopted.
    """

    nodes: GpuNodes
    document: SpecDocument
    objects: Mapping[Key, OverlayObject]
    cost: tuple[int, int]
    reason: str = ""


def adopt_pools(site: Site, context: Context) -> tuple[Chosen, ...]:
    """Each pool with the document that changes it least."""
    short = _compared([_draft(nodes, site, context, literal=False) for nodes in site.nodes.gpu], site, context)
    literal_drafts: list[_Draft] = []
    for chosen in short:
        # A pool without changes needs no other document.
        if any(chosen.cost):
            draft = _draft(chosen.nodes, site, context, literal=True)
            if draft.document != chosen.document:  # an equal document has the same cost
                literal_drafts.append(draft)
    literal: dict[str, Chosen] = {}
    if literal_drafts:
        literal = {chosen.nodes.name: chosen for chosen in _compared(literal_drafts, site, context)}
    best: list[Chosen] = []
    for chosen in short:
        other = literal.get(chosen.nodes.name, chosen)
        # At equal cost, the document that is easier to read stays.
        best.append(other if other.cost < chosen.cost else chosen)
    return tuple(best)


def _compared(drafts: Sequence[_Draft], site: Site, context: Context) -> list[Chosen]:
    """Compiles the documents of pools together, and compares the result with the running pools."""
    objects = _compiled(site, [draft.document for draft in drafts], context)
    compared = compare_nodes(site.nodes.overlay_objects, objects, site.region, context)
    chosen: list[Chosen] = []
    for nodes, document, reason in drafts:
        cost = compared.cost(_kind(nodes), nodes.name, class_name(nodes.observed.body))
        chosen.append(
            Chosen(nodes, document, objects, cost, reason or _why_left(nodes, objects, compared, site.nodes.namespace))
        )
    return chosen


def _why_left(nodes: GpuNodes, objects: Mapping[Key, OverlayObject], compared: Compared, namespace: str) -> str:
    """Why a pool is not adopted: gitgpu cannot generate it, or it would lose nodes. "" if it is adopted."""
    own = identity(as_ours(nodes.observed.body, namespace))
    if ("", own) not in objects:
        elsewhere = own.namespace not in ("", namespace)
        return _ELSEWHERE.format(namespace, own.namespace) if elsewhere else "gitgpu cannot generate a pool like this"
    change = compared.pools[_kind(nodes), nodes.name]
    if change.touches_nodes:
        return f"a pool in the spec would not keep its nodes: {change.reason}"
    return ""


def _kind(nodes: GpuNodes) -> str:
    return NODE_POOL.kind if nodes.by_karpenter else MANAGED_CLUSTERS_AGENT_POOL.kind


def _draft(nodes: GpuNodes, site: Site, context: Context, *, literal: bool) -> _Draft:
    subnet = str((site.cluster.spec.get("network") or {}).get("subnet", ""))
    around = Around(site.driver, site.stack.pools.get(nodes.name, {}), literal, subnet)
    if nodes.by_karpenter:
        keys = node_pool_keys(nodes, site.nodes.pools[NODE_POOL.kind, nodes.name], around, context)
    else:
        keys = agent_pool_keys(nodes, around, context.catalog)
    head = {"clusters": [site.name], **own_provisioner(nodes, site.cluster)}
    spec = {**head, **tidy(keys, site.driver, context.catalog.must("edits", "nodepool"))}
    body = nodes.observed.body
    document = SpecDocument("GpuPool", nodes.name, spec, labels=own_labels(body), annotations=own_annotations(body))
    return _Draft(nodes, *sound(document))


def _compiled(site: Site, pools: Sequence[SpecDocument], context: Context) -> Mapping[Key, OverlayObject]:
    """The objects of pools, which are compiled one by one if they cannot be compiled together."""
    try:
        return dict(_together(site, pools, context))
    except Exception:  # noqa: BLE001  a pool that rules would reject; compiling each alone shows which
        if len(pools) < 2:
            return {}
    objects: dict[Key, OverlayObject] = {}
    for pool in pools:
        objects |= _compiled(site, [pool], context)
    return objects


def _together(site: Site, pools: Sequence[SpecDocument], context: Context) -> Iterator[tuple[Key, OverlayObject]]:
    inputs = link_documents((site.fleet, site.cluster, *pools), context.catalog)
    if inputs:
        for cluster in inputs.clusters:
            yield from node_objects(inputs, cluster).items()
