"""Clusters that are added to an existing fleet: nothing that it sets for all clusters may change them.

Values of the Fleet also apply to new clusters. Where a new cluster runs with a different value, its documents set that.
A value that no document can unset is a fault: the clusters are not added.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.adopt.adoption import ClusterDocument, SpecDocument
from gitgpu.adopt.readable_spec import in_order
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.spec.merge_patch import difference, merge_patch
from gitgpu.load.spec.shape import Document
from gitgpu.model.effective import Effective, EffectiveQuery, effective
from gitgpu.source import Pointer, Span, dotted_text

_KINDS = ("Cluster", "GpuPool")
_SHARED = ("delivery", "clusters", "overrides")  # keys that do not come from the Fleet, or may
_INHERITED = ("driver",)  # keys of a pool that its cluster's stack sets, unless a default of the Fleet does


class Fleets(NamedTuple):
    """The documents of new clusters in a fleet of their own (`alone`), and in the existing fleet (`together`)."""

    alone: Sequence[Document]
    together: Sequence[Document]


def clusters_of(documents: Sequence[Document]) -> set[str]:
    """The names of the clusters that have a document."""
    return {document.ref.name for document in documents if document.kind == "Cluster"}


def fleet_without_defaults(documents: Sequence[Document]) -> SpecDocument | None:
    """The Fleet with only its delivery; None if there is no valid one."""
    for document in documents:
        if document.kind == "Fleet" and document.sound:
            delivery = {"engine": "flux", **document.data["spec"]["delivery"]}
            return SpecDocument("Fleet", document.ref.name, {"delivery": delivery})
    return None


def with_own_values(documents: Sequence[ClusterDocument], fleets: Fleets) -> list[ClusterDocument]:
    """The documents, with each value written that the existing fleet would change otherwise."""
    written: list[ClusterDocument] = []
    for entry in documents:
        spec: Mapping[str, Any] = entry.document.spec
        added = [_settable(_changes(query, fleets)) for query in _queries(entry.document)]
        for values in added:
            spec = merge_patch(spec, values)
        # Without such values, the file is the one that an import of all clusters writes.
        spec = in_order(spec) if entry.document.kind == "GpuPool" and any(added) else spec
        written.append(entry._replace(document=entry.document._replace(spec=spec)))
    return written


def changed_values(documents: Sequence[ClusterDocument], fleets: Fleets) -> Iterator[Diagnostic]:
    """A fault for each value that the existing fleet gives to a document, although its cluster runs without it."""
    for entry in documents:
        for query in _queries(entry.document):
            together = _effective(fleets.together, query)
            for pointer in _leaves(_changes(query, fleets), ("spec",)):
                place = _place(together, pointer) if together else None
                yield _fault(query, pointer, place or Span(""))


def _queries(document: SpecDocument) -> Iterator[EffectiveQuery]:
    """The document on each of its clusters."""
    if document.kind in _KINDS:
        for cluster in document.spec.get("clusters", (document.name,)):
            yield EffectiveQuery(document.kind, "", document.name, cluster)


def _changes(query: EffectiveQuery, fleets: Fleets) -> dict[str, Any]:
    """The merge patch that turns the spec in the existing fleet into the one in a fleet of its own."""
    alone, together = _effective(fleets.alone, query), _effective(fleets.together, query)
    if alone is None or together is None:
        return {}
    wanted, given = alone.data["spec"], together.data["spec"]
    if query.kind == "GpuPool":
        stack = _effective(fleets.alone, query._replace(kind="Cluster", name=query.cluster))
        inherited = reach(stack.data, "spec", "stack") if stack else {}
        unset = [key for key in _INHERITED if key in given and key not in wanted]
        wanted = {**wanted, **{key: inherited[key] for key in unset if key in inherited}}
    patch = difference(given, wanted)
    return {key: value for key, value in patch.items() if key not in _SHARED}


def _effective(documents: Sequence[Document], query: EffectiveQuery) -> Effective | None:
    """The document on its cluster; None if it has an error, which is reported anyway."""
    try:
        found = effective(documents, query)
    except StopIteration:  # no valid Fleet
        return None
    return found if isinstance(found, Effective) else None


def _settable(patch: Mapping[str, Any]) -> dict[str, Any]:
    """The patch without removals: a document can replace a value of the Fleet, but not remove it."""
    kept: dict[str, Any] = {}
    for key, value in patch.items():
        if isinstance(value, Mapping) and value:
            inner = _settable(value)
            kept |= {key: inner} if inner else {}
        elif value is not None:
            kept[key] = value
    return kept


def _leaves(patch: Mapping[str, Any], above: Pointer) -> Iterator[Pointer]:
    for key, value in patch.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, (*above, key))
        else:
            yield (*above, key)


def _place(together: Effective, pointer: Pointer) -> Span | None:
    """Where the existing fleet writes a value, or a value inside it."""
    return next((value.span for value in together.values if value.pointer[: len(pointer)] == pointer), None)


def _fault(query: EffectiveQuery, pointer: Pointer, place: Span) -> Diagnostic:
    path = dotted_text(pointer)
    owner = "" if query.kind == "Cluster" else f" of cluster {query.cluster}"
    message = f"this also applies to {query.kind} {query.name}{owner}, which runs without {path}"
    remedy = "move it to the Clusters or GpuPools that need it and import again, or use another directory with --out"
    return Diagnostic("IMP012", Severity.ERROR, message, remedy, place)
