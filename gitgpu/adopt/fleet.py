"""Converts everything that was read to the documents of one fleet, with an outcome for each object."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.adopt.adoption import (
    Adopted,
    ClusterDocument,
    Destination,
    Fate,
    Inferred,
    Outcome,
    Parents,
    Refused,
    SpecDocument,
)
from gitgpu.adopt.automatic import with_writable_namespace
from gitgpu.adopt.clusters import ClusterOptions, cluster_document, fleet_document, with_delivery
from gitgpu.adopt.delivering_clusters import without_delivering
from gitgpu.adopt.destinations import Destinations
from gitgpu.adopt.field_outcomes import GeneratedObject, field_fates
from gitgpu.adopt.flux_delivery import delivery_outcomes, with_flux_settings
from gitgpu.adopt.node import agent_pool, node_class, node_pool
from gitgpu.adopt.node.node_objects import Nodes, as_ours, class_name, is_of_nodes, nodes_of
from gitgpu.adopt.node.pools import Chosen, Site, adopt_pools
from gitgpu.adopt.node.provisioner import with_distinct_names, with_provisioner
from gitgpu.adopt.pool_defaults import with_pool_defaults
from gitgpu.adopt.registry import registry_of, with_registry
from gitgpu.adopt.stack import stack
from gitgpu.adopt.stack.view import View, bare_view
from gitgpu.adopt.teams import teams
from gitgpu.adopt.unique_outcomes import distinct
from gitgpu.adopt.valid_spec import sound_cluster
from gitgpu.adopt.workloads import workloads
from gitgpu.adopt.workloads.other_objects import requests_gpus
from gitgpu.compare.nodes import Context
from gitgpu.counting import counting
from gitgpu.inventory.observed import Inventory, ObservedCluster
from gitgpu.load.spec.unfilled import NOT_IN_INPUT, todo
from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    HELM_VALUES,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE_POOL,
    SCALED_JOB,
    SCALED_OBJECT,
)
from gitgpu.model.names.labels import MANAGED_BY_LABEL
from gitgpu.objects.objects import identity
from gitgpu.source import Pointer

PLACES: Mapping[str, Mapping[Pointer, Pointer]] = {
    NODE_POOL.kind: node_pool.PLACES,
    MANAGED_CLUSTERS_AGENT_POOL.kind: agent_pool.PLACES,
    AKS_NODE_CLASS.kind: node_class.PLACES,
}


class _AdoptedCluster(NamedTuple):
    """A cluster with the documents of its pools and workloads, and an outcome for each object."""

    site: Site
    chosen: tuple[Chosen, ...]
    workloads: tuple[SpecDocument, ...]
    outcomes: tuple[Outcome, ...]


class Known(NamedTuple):
    """What is known before the import: the options, the rejected objects, and the existing Fleet, if there is one."""

    options: ClusterOptions
    refused: Sequence[Refused]
    fleet: SpecDocument | None = None


def adopt_fleet(inventory: Inventory, known: Known, context: Context) -> Adopted:
    """The fleet that describes what was read, without rejected objects.

    The documents of a cluster depend on no other cluster, so that clusters can be imported one by one.
    """
    options, refused, existing = known
    sound, outcomes = without_delivering([_without(seen, refused) for seen in inventory.clusters])
    fleet, inferred = (existing, list[Inferred]()) if existing else fleet_document(sound, options)
    clusters: list[_AdoptedCluster] = []
    for seen in counting(sound, options.on_import):
        document, inferred_keys = cluster_document(seen, options, context.catalog)
        document, left_out = sound_cluster(document)
        document = with_delivery(document, seen, fleet)
        document, namespace = with_writable_namespace(document, seen, fleet, context.catalog)
        inferred += [*inferred_keys, *left_out, *namespace]
        clusters.append(_cluster(seen, Parents(fleet, document), context))
    documents = [ClusterDocument("", fleet)]
    delivering, url = list(inventory.objects()), str(fleet.spec["delivery"]["repository"])
    for cluster, applied in zip(clusters, sound, strict=True):
        own = with_flux_settings(_with_stack(cluster.site), applied, delivering, url)
        documents += [ClusterDocument(cluster.site.name, document) for document in _documents(own, cluster)]
    destinations = Destinations(documents)
    outcomes += [Outcome(refusal.observed, refusal.fate, refusal.reason) for refusal in refused]
    for cluster in clusters:
        outcomes += [*_fields(cluster, destinations, context), *_unread_classes(cluster), *cluster.outcomes]
    inferred += filter(None, map(_missing, outcomes))
    outcomes = [outcome for outcome in outcomes if not _missing(outcome)]
    running = {cluster.site.name: cluster.site.stack.running for cluster in clusters}
    return Adopted(tuple(_with_notes(documents, inferred)), tuple(distinct(outcomes)), tuple(inferred), running)


def _documents(own: SpecDocument, cluster: _AdoptedCluster) -> Iterator[SpecDocument]:
    """The documents of a cluster: the Cluster itself, its adopted pools, and its workloads, which are only on it."""
    pools = [_with_source(chosen) for chosen in cluster.chosen if not chosen.reason]
    yield from with_pool_defaults(own, pools)
    for document in cluster.workloads:
        if document.kind == "GpuTeam":
            yield document
            continue
        spec = {"pools": document.spec["pools"], "clusters": [cluster.site.name], **document.spec}
        yield document._replace(spec=spec)


def _without(seen: ObservedCluster, refused: Sequence[Refused]) -> ObservedCluster:
    """The cluster without its rejected objects."""
    rejected = {id(refusal.observed) for refusal in refused}
    return seen._replace(objects=tuple(observed for observed in seen.objects if id(observed) not in rejected))


def _cluster(seen: ObservedCluster, parents: Parents, context: Context) -> _AdoptedCluster:
    fleet, cluster = parents
    kept = seen._replace(name=cluster.name)
    nodes = nodes_of(kept, str(cluster.spec["region"]), context)
    cluster = with_provisioner(cluster, nodes, seen.azure.provisioner == "nap")
    nodes, other = with_distinct_names(nodes)
    view = bare_view(kept, context.catalog)
    registry, images = registry_of(view)
    # Before the stack: chart values that follow from the registry do not belong in `stack.values`.
    cluster, view = with_registry(cluster, registry, images), view._replace(registry=registry)
    site, chosen = _adopted_without_left(view, Parents(fleet, cluster), nodes, context)
    pools = [pool.document for pool in chosen if not pool.reason]
    shared = teams(view, (fleet, site.cluster, *pools))
    added = workloads(view, (fleet, site.cluster, *pools, *shared.documents))
    delivery = delivery_outcomes(kept, str(fleet.spec["delivery"]["repository"]))
    left = {id(outcome.observed) for outcome in site.stack.outcomes if outcome.fate is Fate.LEFT}
    images = [outcome for outcome in images if id(outcome.observed) not in left]  # gitgpu pulls none of these
    outcomes = (*nodes.outcomes, *other, *images, *site.stack.outcomes, *shared.outcomes, *added.outcomes, *delivery)
    return _AdoptedCluster(site, chosen, (*shared.documents, *added.documents), (*outcomes, *_others(kept, outcomes)))


def _adopted_without_left(
    view: View, parents: Parents, nodes: Nodes, context: Context
) -> tuple[Site, tuple[Chosen, ...]]:
    """A cluster with the stack that its adopted pools need, and its pools; omitted pools do not affect the stack."""
    site, chosen = _adopted(view, parents, nodes, context)
    rejected_pools = [pool for pool in chosen if pool.reason]
    # With none omitted, the stack is right; with all omitted, no pool remains to infer one from.
    if not 0 < len(rejected_pools) < len(chosen):
        return site, chosen
    names = {pool.nodes.name for pool in rejected_pools}
    kept_pools = tuple(pool for pool in nodes.gpu if pool.name not in names)
    site, chosen = _adopted(view, parents, nodes._replace(gpu=kept_pools), context)
    return site, (*chosen, *rejected_pools)


def _adopted(view: View, parents: Parents, nodes: Nodes, context: Context) -> tuple[Site, tuple[Chosen, ...]]:
    """A cluster with the stack that its pools need, and the pools."""
    site = Site(parents.fleet, parents.cluster, nodes, stack(view, nodes.gpu))
    site = site._replace(cluster=_with_stack(site))
    return site, adopt_pools(site, context)


def _others(seen: ObservedCluster, outcomes: Sequence[Outcome]) -> Iterator[Outcome]:
    """Outcomes for the objects that no other part of the import has examined."""
    examined = {id(outcome.observed) for outcome in outcomes}
    for observed in seen.objects:
        # `nodes_of` and `_fields` have outcomes for all node objects.
        if is_of_nodes(observed.body) or id(observed) in examined:
            continue
        if reach(observed.body, "metadata", "labels", MANAGED_BY_LABEL) == "gitgpu":
            reason = "generated by gitgpu, which writes it together with the object that it belongs to"
            yield Outcome(observed, Fate.ADOPTED, reason)
        elif requests_gpus(observed.body):
            yield Outcome(observed, Fate.INEXPRESSIBLE, "it requests GPUs, but a GpuWorkload cannot describe it")
        elif observed.body.get("kind") in (SCALED_OBJECT.kind, SCALED_JOB.kind):  # `_workloads` examines all valid ones
            yield Outcome(observed, Fate.LEFT, "not every KEDA release accepts it: `gitgpu lint` says why")
        else:
            chart = observed.body["chart"] if observed.body.get("kind") == HELM_VALUES.kind else ""
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


def _with_source(chosen: Chosen) -> SpecDocument:
    """The document of a pool with a comment that says where it comes from."""
    sources: list[str] = []
    for observed in filter(None, (chosen.nodes.observed, chosen.nodes.node_class)):
        span = observed.places.span()
        sources.append(f"{observed.name} ({span.file}:{span.line})")
    return chosen.document._replace(comments={**chosen.document.comments, (): f"From {' and '.join(sources)}."})


def _fields(cluster: _AdoptedCluster, destinations: Destinations, context: Context) -> Iterator[Outcome]:
    """An outcome for each field of the pools and their node classes."""
    seen: set[int] = set()
    for chosen in cluster.chosen:
        for observed in (chosen.nodes.observed, chosen.nodes.node_class):
            # Pools can share a node class.
            if observed is None or id(observed) in seen:
                continue
            seen.add(id(observed))
            if chosen.reason:
                yield Outcome(observed, Fate.INEXPRESSIBLE, chosen.reason)
                continue
            ours = chosen.objects["", identity(as_ours(observed.body, cluster.site.nodes.namespace))]
            facts = context.catalog.must("edits", observed.body["kind"].lower())
            generated = GeneratedObject(ours.body, facts, PLACES[observed.body["kind"]])
            for outcome, key in field_fates(observed, generated, context.catalog):
                yield destinations.of(outcome, key, cluster.site.name, chosen.document.name)


def _unread_classes(cluster: _AdoptedCluster) -> Iterator[Outcome]:
    """An outcome for each NodePool whose node class is not in the input: a build would not write its settings."""
    for chosen in cluster.chosen:
        pool, document = chosen.nodes.observed, chosen.document
        if chosen.reason or chosen.nodes.node_class or pool.body.get("kind") != NODE_POOL.kind:
            continue
        name = class_name(pool.body)
        reason = f"{NOT_IN_INPUT}AKSNodeClass {name}: import again with it, or set image and network as it has them"
        key = ("spec", "nodeClass") if "nodeClass" in document.spec else ("metadata", "name")
        into = Destination(document.kind, document.name, key, cluster.site.name)
        yield Outcome(pool, Fate.INFERRED, reason, ("spec", "template", "spec", "nodeClassRef"), into)


def _missing(outcome: Outcome) -> Inferred | None:
    """The key that an outcome is about, if the input does not contain its value."""
    if not outcome.into or not outcome.reason.startswith(NOT_IN_INPUT):
        return None
    kind, name, pointer, cluster, _ = outcome.into
    return Inferred((kind, name), tuple(map(str, pointer)), outcome.reason, missing=True, cluster=cluster)


def _with_notes(documents: Sequence[ClusterDocument], inferred: Sequence[Inferred]) -> Iterator[ClusterDocument]:
    """The documents with a comment at each inferred key."""
    for cluster, document in documents:
        comments = dict(document.comments)
        for value in inferred:
            if value.document == (document.kind, document.name) and value.cluster in ("", cluster):
                comments[value.key] = todo(value.reason) if value.missing else f"Inferred: {value.reason}."
        yield ClusterDocument(cluster, document._replace(comments=comments))
