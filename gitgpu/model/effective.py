"""The effective spec of a pool, workload or team on one cluster, or of a cluster, with the place of each value."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, ObjectRef
from gitgpu.load.spec.override_faults import override_faults
from gitgpu.load.spec.shape import KINDS, Document, kind_schema
from gitgpu.model.decode import origin
from gitgpu.model.document_names import missing_name_remedy
from gitgpu.model.link import cluster_layers, link_clusters
from gitgpu.model.linking.clusters import Clusters
from gitgpu.model.linking.overrides import apply_overrides, entries_by_cluster
from gitgpu.model.linking.pools import Variant
from gitgpu.model.linking.rings import ring_by_cluster
from gitgpu.model.linking.unique import unique
from gitgpu.source import Pointer, Span

_INVALID = "run `gitgpu validate`, and correct them"


class Value(NamedTuple):
    """A value that is not a mapping, and where it is written; None for a default of the schema."""

    pointer: Pointer
    value: Any
    span: Span | None


class Effective(NamedTuple):
    """A document as it applies to a cluster, with defaults, the places of its values, and faults in its overrides."""

    ref: ObjectRef
    cluster: str
    data: Mapping[str, Any]
    values: tuple[Value, ...]
    faults: tuple[Diagnostic, ...] = ()


class Missing(NamedTuple):
    """Why there is nothing to show, and the remedy."""

    problem: str
    remedy: str


class EffectiveQuery(NamedTuple):
    """What to show: a kind of document, a namespace ("" for any), a name, and a cluster."""

    kind: str
    namespace: str
    name: str
    cluster: str


def effective(documents: Sequence[Document], query: EffectiveQuery) -> Effective | Missing:
    """The document as it applies to the cluster, or why there is none. Raises StopIteration without a valid Fleet."""
    # `gitgpu validate` reports duplicates.
    of_kind, _ = unique(query.kind, documents, [])
    sound = [document for document in documents if document.sound]
    fleet = next(document for document in sound if document.kind == "Fleet")
    cluster_documents, names = unique("Cluster", documents, [])
    clusters = link_clusters(cluster_documents, names, fleet)
    if query.cluster not in clusters.defaults:
        if any(document.ref.name == query.cluster for document in cluster_documents):
            return Missing(f"Cluster {query.cluster} has errors", _INVALID)
        return Missing(f"no Cluster is named '{query.cluster}'", missing_name_remedy(query.cluster, names, "Cluster"))
    if query.kind == "Cluster":
        document = next(document for document in of_kind if document.ref.name == query.name)
        ring = ring_by_cluster([document], fleet).get(query.name)
        return _shown(Variant(document, (query.name,), cluster_layers(document, fleet, ring)))
    return _effective_on_cluster(of_kind, query, clusters)


def _effective_on_cluster(
    of_kind: Sequence[Document], query: EffectiveQuery, clusters: Clusters
) -> Effective | Missing:
    """The pool, workload or team as it applies to the cluster."""
    named_documents = [document for document in of_kind if _has_name(document, query)]
    if not named_documents:
        every_name = {document.ref.name for document in of_kind}
        return Missing(
            f"no {query.kind} is named '{query.name}'", missing_name_remedy(query.name, every_name, query.kind)
        )
    sound = [document for document in named_documents if document.sound]
    documents_here = [document for document in sound if query.cluster in _clusters_of(document, clusters)]
    if len(documents_here) == 1:
        return _effective(documents_here[0], query.cluster, clusters)
    if documents_here:
        names_with_space = " or ".join(f"workload/{document.ref.namespace}/{query.name}" for document in documents_here)
        return Missing(f"several workloads are named '{query.name}'", f"use {names_with_space}")
    if not sound:
        return Missing(f"{query.kind} {query.name} has errors", _INVALID)
    names = set(chain.from_iterable(_clusters_of(document, clusters) for document in sound))
    remedy = f"it is on: {', '.join(sorted(names)) or 'no cluster'}"
    return Missing(f"{query.kind} {query.name} is not on {query.cluster}", remedy)


def _has_name(document: Document, query: EffectiveQuery) -> bool:
    return document.ref.name == query.name and query.namespace in ("", document.ref.namespace)


def _clusters_of(document: Document, clusters: Clusters) -> set[str]:
    """The clusters of a pool. The documents of workloads and teams need not limit them."""
    chosen = document.data["spec"].get("clusters")
    return clusters.select(chosen) if chosen else set(clusters.defaults)


def _effective(document: Document, cluster: str, clusters: Clusters) -> Effective:
    chosen = apply_overrides(document, entries_by_cluster(document, clusters).get(cluster, ()))
    if faults := override_faults(chosen) if chosen.overlays else []:
        return Effective(document.ref, cluster, {}, (), tuple(faults))
    return _shown(Variant(chosen, (cluster,), clusters.defaults[cluster] if document.kind == "GpuPool" else ()))


def _shown(variant: Variant) -> Effective:
    """The values of a document on its one cluster, with their places."""
    document, (cluster,) = variant.document, variant.clusters
    spec, definition = variant.spec(), kind_schema(document.kind)["definitions"][KINDS[document.kind]]
    order = definition["properties"]["spec"]["properties"]
    data = {**document.data, "spec": {key: spec[key] for key in order if key in spec}}
    values = tuple(Value(path, value, _place(variant, path)) for path, value in _leaves(data, ()))
    return Effective(document.ref, cluster, data, values)


def _place(variant: Variant, path: Pointer) -> Span | None:
    """Where a value is written, or None if it is a default of the schema."""
    own = origin(variant.document)
    if own.holds(path):
        return own.span(path)
    spans = (layer.origin.span((*layer.at, *path[1:])) for layer in variant.defaults if layer.holds(path[1:]))
    return next(spans, None)


def _leaves(value: Any, path: Pointer) -> Iterator[tuple[Pointer, Any]]:
    """Every value that is not a mapping with keys. A list has one place, since it is replaced as a whole."""
    if isinstance(value, Mapping) and value:
        for key, below in value.items():
            yield from _leaves(below, (*path, key))
    else:
        yield path, value
