"""The rings of a fleet: which one each cluster is in, and what is wrong with them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from gitgpu.diagnostic import Diagnostic, Problem
from gitgpu.load.spec.shape import Document
from gitgpu.model.linking.clusters import Clusters
from gitgpu.model.linking.faults import fault
from gitgpu.model.linking.selectors import selector_faults
from gitgpu.source import Pointer
from gitgpu.spelling import MAX_LISTED, comma_separated


def rings_of(fleet: Document) -> Sequence[Mapping[str, Any]]:
    """The rings of a valid Fleet, as written."""
    rings: Sequence[Mapping[str, Any]] = fleet.data["spec"].get("rings", ())
    return rings


def ring_by_cluster(documents: Sequence[Document], fleet: Document) -> dict[str, int]:
    """The first ring that selects each cluster, as its index. Clusters without a ring are omitted."""
    labels = {document.ref.name: document.data["metadata"].get("labels", {}) for document in documents}
    by_cluster: dict[str, int] = {}
    for index, ring in enumerate(rings_of(fleet)):
        for name in _selected(ring["clusters"], labels):
            by_cluster.setdefault(name, index)
    return by_cluster


def ring_faults(fleet: Document, clusters: Clusters) -> Iterator[Diagnostic]:
    """The faults in the names of rings and in their clusters."""
    by_name: dict[str, int] = {}
    for index, ring in enumerate(rings_of(fleet)):
        pointer: Pointer = ("spec", "rings", index)
        if (earlier := by_name.setdefault(ring["name"], index)) != index:
            place = fleet.places.span((*pointer[:2], earlier, "name"))
            message = f"duplicate ring '{ring['name']}'; the first is at {place}"
            yield fault("LNK011", fleet, (*pointer, "name"), Problem(message, "give it a unique name"))
        yield from selector_faults(fleet, (*pointer, "clusters"), ring["clusters"], clusters)
    for (first_index, first_ring), (index, ring) in combinations(enumerate(rings_of(fleet)), 2):
        if shared := sorted(clusters.select(first_ring["clusters"]) & clusters.select(ring["clusters"])):
            names = comma_separated(shared, MAX_LISTED)
            where = fleet.places.span(("spec", "rings", first_index, "clusters"))
            message = f"ring '{first_ring['name']}' already has {names} ({where})"
            remedy = "remove each of these clusters from one of the two rings"
            yield fault("LNK012", fleet, _place(index, ring["clusters"], shared[0]), Problem(message, remedy))


def _selected(wanted: Any, labels: Mapping[str, Mapping[str, str]]) -> set[str]:
    if isinstance(wanted, list):
        return set(wanted) & labels.keys()
    return {name for name, own in labels.items() if wanted["matchLabels"].items() <= own.items()}


def _place(ring: int, wanted: Any, name: str) -> Pointer:
    """Where a ring selects a cluster: at its name, or at the labels."""
    return ("spec", "rings", ring, "clusters", wanted.index(name) if isinstance(wanted, list) else "matchLabels")
