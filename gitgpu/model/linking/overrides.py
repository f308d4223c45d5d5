"""Differences between clusters. A document with overrides has an effective document for each set that applies."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from gitgpu.diagnostic import Diagnostic, Problem
from gitgpu.load.explain.messages import value_text
from gitgpu.load.spec.merge_patch import Overlay, merge_patch
from gitgpu.load.spec.override_faults import override_faults
from gitgpu.load.spec.shape import Document
from gitgpu.model.linking.clusters import Clusters
from gitgpu.model.linking.faults import Faults, fault
from gitgpu.model.linking.selectors import is_missing, labels_text, missing_cluster
from gitgpu.source import Pointer
from gitgpu.spelling import MAX_LISTED, one_of

FIXED = {
    "clusters": "create another GpuPool with the same name for other clusters",
    "overrides": "use one entry of overrides for each difference",
    "metadata": "an override is a patch of spec, and metadata is the same on all clusters",
    "name": "create another document with that name",
    "namespace": "create another document for that namespace",
}
OF_WORKLOAD = "select the clusters of the workload in spec.clusters"
_OVERRIDES: Pointer = ("spec", "overrides")


def overrides(document: Document) -> Sequence[Mapping[str, Any]]:
    """The overrides of a valid document, as written."""
    entries: Sequence[Mapping[str, Any]] = document.data["spec"].get("overrides", ())
    return entries


def apply_overrides(document: Document, entries: Iterable[int]) -> Document:
    """The document with these entries of its overrides applied."""
    spec = {key: value for key, value in document.data["spec"].items() if key != "overrides"}
    places, overlays = document.places, []
    for entry in entries:
        at: Pointer = (*_OVERRIDES, entry, "set")
        patch = {key: value for key, value in overrides(document)[entry]["set"].items() if key not in FIXED}
        spec, places = merge_patch(spec, patch), places.patch(("spec",), at, patch)
        overlays.append(Overlay(at, patch))
    return document._replace(data={**document.data, "spec": spec}, places=places, overlays=tuple(overlays))


def entries_by_cluster(document: Document, clusters: Clusters) -> dict[str, tuple[int, ...]]:
    """The entries of the overrides that select each cluster, in order. Other clusters are omitted."""
    by_cluster: dict[str, tuple[int, ...]] = {}
    for entry, override in enumerate(overrides(document)):
        for name in clusters.select(override["clusters"]):
            by_cluster[name] = (*by_cluster.get(name, ()), entry)
    return by_cluster


def fixed_keys(document: Document) -> Iterator[tuple[Pointer, Problem]]:
    """Keys of overrides that cannot differ between clusters."""
    for entry, override in enumerate(overrides(document)):
        for key in override["set"]:
            if key in FIXED:
                instead = OF_WORKLOAD if (key, document.kind) == ("clusters", "GpuWorkload") else FIXED[key]
                problem = Problem(f"an override cannot set '{key}'", f"remove it; {instead}")
                yield (*_OVERRIDES, entry, "set", key), problem


def override_problems(document: Document, clusters: Clusters, own: Collection[str]) -> Faults:
    """The faults in the selectors and keys of overrides. `own` are the clusters of the document.

    An entry that applies to none of them is checked as if it applied alone; the others are checked where they apply.
    """
    faults = [fault("LNK009", document, place, problem) for place, problem in fixed_keys(document)]
    for entry, override in enumerate(overrides(document)):
        faults += _unselected(document, entry, clusters, own)
        if not clusters.select(override["clusters"]) & set(own):
            faults += override_faults(apply_overrides(document, [entry]))
    return faults


def _unselected(document: Document, entry: int, clusters: Clusters, own: Collection[str]) -> Iterator[Diagnostic]:
    """A fault for each name in the selector of an override, or for its labels, if they select no cluster of its own."""
    wanted, title = overrides(document)[entry]["clusters"], f"{document.kind} {document.ref.name}"
    place: Pointer = (*_OVERRIDES, entry, "clusters")
    remedy = f"select {one_of(sorted(own)[:MAX_LISTED])}, or remove the entry" if own else "remove the entry"
    if not isinstance(wanted, list):
        if clusters.whole and not clusters.select(wanted) & set(own):
            message = f"no cluster of {title} has the labels {labels_text(wanted)}"
            yield fault("LNK010", document, (*place, "matchLabels"), Problem(message, remedy))
        return
    sound = {cluster.name for cluster in clusters.sound}
    for index, name in enumerate(wanted):
        if is_missing(name, clusters):
            yield fault("LNK004", document, (*place, index), missing_cluster(name, clusters))
        elif name in sound - set(own):
            message = f"{title} is not on cluster {value_text(name)}"
            yield fault("LNK010", document, (*place, index), Problem(message, remedy))
