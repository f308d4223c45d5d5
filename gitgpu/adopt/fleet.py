"""Converts everything that was read to the documents of one fleet, with an outcome for each object."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.adopt.adoption import Adopted, Fate, Inferred, Outcome, Refused, SpecDocument
from gitgpu.adopt.clusters import Wanted, cluster_document, delivered, fleet_document
from gitgpu.adopt.common_defaults import lifted
from gitgpu.adopt.delivering_clusters import without_delivering
from gitgpu.adopt.destinations import Destinations
from gitgpu.adopt.field_outcomes import GeneratedObject, field_fates
from gitgpu.adopt.merging import Placed, merged
from gitgpu.adopt.node import agent_pool, node_class, node_pool
from gitgpu.adopt.node.node_objects import Nodes, as_ours, is_of_nodes, nodes_of
from gitgpu.adopt.node.pools import Chosen, Site, adopted_pools
from gitgpu.adopt.provisioner import of_one_provisioner, provisioned
from gitgpu.adopt.registry import registry_of, with_registry
from gitgpu.adopt.stack import stack_of
from gitgpu.adopt.stack.view import View, bare_view
from gitgpu.adopt.unique_outcomes import distinct
from gitgpu.adopt.valid_spec import sound_cluster
from gitgpu.adopt.workloads import workloads_of
from gitgpu.adopt.workloads.other_objects import requests_gpus
from gitgpu.compare.nodes import AGENTS, CLASS, Context
from gitgpu.compare.snapshot import OverlayObject, at
from gitgpu.conform.objects import identity
from gitgpu.load.inventory.observed import Inventory, Observed, ObservedCluster
from gitgpu.source import Pointer

PLACES: Mapping[str, Mapping[Pointer, Pointer]] = {
    "NodePool": node_pool.PLACES,
    AGENTS: agent_pool.PLACES,
    CLASS: node_class.PLACES,
}


class _Done(NamedTuple):
    site: Site
    chosen: tuple[Chosen, ...]
    workloads: tuple[SpecDocument, ...]
    outcomes: tuple[Outcome, ...]


def adopted(inventory: Inventory, wanted: Wanted, refused: Sequence[Refused], context: Context) -> Adopted:
    """The fleet that describes what was read, without the objects in `refused`."""
    sound, outcomes = without_delivering([_without(seen, refused) for seen in inventory.clusters])
    fleet, inferred = fleet_document(sound)
    done: list[_Done] = []
    for seen in sound:
        document, more = cluster_document(seen, wanted, context.catalog)
        document, left_out = sound_cluster(document)
        inferred += [*more, *left_out]
        done.append(_cluster(seen, (fleet, delivered(document, seen, fleet)), context))
    clusters = [(cluster.site.name, _with_stack(cluster.site)) for cluster in done]
    documents = lifted([("", fleet), *clusters, *merged(_placed(done))])
    destinations = Destinations(documents)
    outcomes += [Outcome(refusal.observed, refusal.fate, refusal.reason) for refusal in refused]
    for cluster in done:
        outcomes += [*_fields(cluster, destinations, context), *cluster.outcomes]
    return Adopted(tuple(_noted(documents, inferred)), tuple(distinct(outcomes)), tuple(inferred))


def _placed(done: Sequence[_Done]) -> Iterator[Placed]:
    """The documents of all adopted pools, then those of all workloads."""
    for cluster in done:
        for chosen in cluster.chosen:
            if not chosen.reason:
                yield Placed(cluster.site.name, _headed(chosen), cluster.site.driver)
    for cluster in done:
        for document in cluster.workloads:
            yield Placed(cluster.site.name, document)


def _without(seen: ObservedCluster, refused: Sequence[Refused]) -> ObservedCluster:
    """The cluster without its rejected objects."""
    gone = {id(refusal.observed) for refusal in refused}
    return seen._replace(objects=tuple(observed for observed in seen.objects if id(observed) not in gone))


def _cluster(seen: ObservedCluster, documents: tuple[SpecDocument, SpecDocument], context: Context) -> _Done:
    """One cluster: its pools and workloads as documents, and an outcome for each object."""
    fleet, cluster = documents
    kept = seen._replace(name=cluster.name)
    nodes = nodes_of(kept, str(cluster.spec["region"]), context)
    cluster = provisioned(cluster, nodes, seen.azure.provisioner == "nap")
    nodes, other = of_one_provisioner(nodes, str(cluster.spec.get("provisioner", "nap")))
    view = bare_view(kept, context.catalog)
    registry, images = registry_of(view)
    # Before the stack: chart values that follow from the registry do not belong in `stack.values`.
    cluster, view = with_registry(cluster, registry, images), view._replace(registry=registry)
    site, chosen = _adopted_without_left(view, (fleet, cluster), nodes, context)
    pools = [pool.document for pool in chosen if not pool.reason]
    workloads = workloads_of(view, (fleet, site.cluster, *pools))
    outcomes = (*nodes.outcomes, *other, *images, *site.stack.outcomes, *workloads.outcomes)
    return _Done(site, chosen, workloads.documents, (*outcomes, *_others(kept, outcomes)))


def _adopted_without_left(
    view: View, documents: tuple[SpecDocument, SpecDocument], nodes: Nodes, context: Context
) -> tuple[Site, tuple[Chosen, ...]]:
    """A cluster with the stack that its adopted pools need, and its pools; omitted pools do not affect the stack."""
    site, chosen = _adopted(view, documents, nodes, context)
    left = [pool for pool in chosen if pool.reason]
    if not 0 < len(left) < len(chosen):
        return site, chosen
    names = {pool.nodes.name for pool in left}
    kept = tuple(pool for pool in nodes.gpu if pool.name not in names)
    site, chosen = _adopted(view, documents, nodes._replace(gpu=kept), context)
    return site, (*chosen, *left)


def _adopted(
    view: View, documents: tuple[SpecDocument, SpecDocument], nodes: Nodes, context: Context
) -> tuple[Site, tuple[Chosen, ...]]:
    """A cluster with the stack that its pools need, and the pools."""
    site = Site(*documents, nodes, stack_of(view, nodes.gpu))
    site = site._replace(cluster=_with_stack(site))
    return site, adopted_pools(site, context)


def _others(seen: ObservedCluster, outcomes: Sequence[Outcome]) -> Iterator[Outcome]:
    """Outcomes for the objects that no other part of the import has examined."""
    done = {id(outcome.observed) for outcome in outcomes}
    for observed in seen.objects:
        if is_of_nodes(observed.body) or id(observed) in done:
            continue
        if at(observed.body, "metadata", "labels", "app.kubernetes.io/managed-by") == "gitgpu":
            reason = "generated by gitgpu, which writes it together with the object that it belongs to"
            yield Outcome(observed, Fate.ADOPTED, reason)
        elif requests_gpus(observed.body):
            yield Outcome(observed, Fate.INEXPRESSIBLE, "it requests GPUs, but a GpuWorkload cannot describe it")
        else:
            chart = observed.body["chart"] if observed.body.get("kind") == "HelmValues" else ""
            what = f"does not install the chart {chart}" if chart else "does not generate objects of this kind"
            yield Outcome(observed, Fate.LEFT, f"gitgpu {what}")


def _with_stack(site: Site) -> SpecDocument:
    """The Cluster with its stack, and a comment at each inferred key."""
    spec: dict[str, Any] = dict(site.cluster.spec)
    if not site.stack.stack:
        return site.cluster
    spec["stack"] = dict(site.stack.stack)
    notes: dict[Pointer, str] = {}
    for outcome in site.stack.outcomes:
        if outcome.fate is Fate.INFERRED and outcome.into and outcome.into.kind == "Cluster":
            notes.setdefault(outcome.into.pointer, f"Inferred: {outcome.reason}.")
    return site.cluster._replace(spec=spec, comments={**site.cluster.comments, **notes})


def _headed(chosen: Chosen) -> SpecDocument:
    """The document of a pool with a comment that says where it comes from."""
    sources = [observed for observed in (chosen.nodes.observed, chosen.nodes.node_class) if observed]
    words = " and ".join(
        f"{source.name} ({source.places.span().file}:{source.places.span().line})" for source in sources
    )
    return chosen.document._replace(comments={**chosen.document.comments, (): f"From {words}."})


def _fields(done: _Done, destinations: Destinations, context: Context) -> Iterator[Outcome]:
    """An outcome for each field of the pools and their node classes."""
    seen: set[int] = set()
    for chosen in done.chosen:
        for observed in (chosen.nodes.observed, chosen.nodes.node_class):
            if observed is None or id(observed) in seen:
                continue
            seen.add(id(observed))
            ours = _generated(observed, chosen)
            if chosen.reason or ours is None:
                reason = chosen.reason or "gitgpu does not generate a node class for it"
                yield Outcome(observed, Fate.INEXPRESSIBLE, reason)
                continue
            facts = context.catalog.must("edits", observed.body["kind"].lower())
            in_its_place = GeneratedObject(ours.body, facts, PLACES[observed.body["kind"]])
            for outcome, key in field_fates(observed, in_its_place, context.catalog):
                yield destinations.of(outcome, key, (done.site.name, chosen.document.name))


def _generated(observed: Observed, chosen: Chosen) -> OverlayObject | None:
    return chosen.objects.get(("", identity(as_ours(observed.body))))


def _noted(
    documents: Sequence[tuple[str, SpecDocument]], inferred: Sequence[Inferred]
) -> Iterator[tuple[str, SpecDocument]]:
    """The documents with a comment at each inferred key."""
    for of, document in documents:
        notes: dict[Pointer, str] = {
            value.key: f"Inferred: {value.reason}." for value in inferred if value.document == document[:2]
        }
        yield of, document._replace(comments={**document.comments, **notes})
