"""Duplicate documents: of each name, the first one counts.

Pools may share a name if they have no common cluster, and so may teams, and workloads of one namespace.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Problem
from gitgpu.load.explain.messages import value_text
from gitgpu.load.spec.shape import Document
from gitgpu.model.document_names import names_and_labels, referenced_names
from gitgpu.model.linking.faults import Faults, fault
from gitgpu.source import Pointer

_NAME: Pointer = ("metadata", "name")
_ON_CLUSTERS = ("GpuPool", "GpuWorkload", "GpuTeam")


def unique(kind: str, documents: Sequence[Document], faults: Faults) -> tuple[list[Document], set[str]]:
    """The documents of a kind, the first of each name, and the names that others may refer to.

    A name that others refer to and no document has is probably the name of a duplicate, so it is reported there.
    """
    candidates = [document for document in documents if document.kind == kind]
    candidates.sort(key=lambda document: (document.ref[1:], document.places.span()))
    kept, duplicates = _duplicates(candidates, documents)
    names = names_and_labels(candidates)
    lost = referenced_names(kind, documents) - names
    if len(lost) > len(duplicates):
        lost = set()
    also = f"; other documents refer to {' or '.join(map(value_text, sorted(lost)))}" if lost else ""
    for duplicate, first, shared in duplicates if kind != "Fleet" else ():
        where = f" on {', '.join(sorted(shared))}" if shared else ""
        message = f"duplicate {kind} '{duplicate.ref.name}'{where}; the first is at {first.places.span(_NAME)}"
        remedy = f"give it a unique name{', or other clusters' if shared and not lost else ''}{also}"
        faults.append(fault("LNK003", duplicate, _NAME, Problem(message, remedy)))
    return candidates if kind == "Fleet" else kept, names | lost


def _duplicates(
    candidates: Sequence[Document], documents: Sequence[Document]
) -> tuple[list[Document], list[tuple[Document, Document, set[str]]]]:
    """The documents that count; and each duplicate, with the first document of its name and their common clusters."""
    labels = _labels(documents)
    kept: list[Document] = []
    duplicates: list[tuple[Document, Document, set[str]]] = []
    earlier: dict[tuple[str, ...], list[Document]] = {}
    for document in candidates:
        others = earlier.setdefault(document.ref[1:], [])
        clash = _clash(document, others, labels)
        if clash and document.ref.name:
            duplicates.append((document, *clash))
        elif not clash:
            kept.append(document)
            others.append(document)
    return kept, duplicates


def _clash(
    document: Document, others: Sequence[Document], labels: Mapping[str, Mapping[str, Any]]
) -> tuple[Document, set[str]] | None:
    """The first of the others that must not have the same name, and their common clusters if both select some."""
    own = _clusters(document, labels) if others else None
    for other in others:
        theirs = _clusters(other, labels)
        if own is None or theirs is None:
            return other, set()
        if shared := own & theirs:
            return other, shared
    return None


def _labels(documents: Sequence[Document]) -> dict[str, Mapping[str, Any]]:
    """The labels of each cluster, as far as they can be read."""
    by_cluster: dict[str, Mapping[str, Any]] = {}
    for document in documents:
        meta = document.data.get("metadata")
        if document.kind == "Cluster" and isinstance(meta, dict):
            by_cluster[str(meta.get("name", ""))] = mapping_at(meta, "labels")
    return by_cluster


def _clusters(document: Document, labels: Mapping[str, Mapping[str, Any]]) -> set[str] | None:
    """The names of the clusters that a pool, a workload or a team selects; none if its selector cannot be read.

    None if it selects none: a workload or a team is on all clusters of its pools, and other kinds have no clusters.
    """
    spec = document.data.get("spec")
    if document.kind not in _ON_CLUSTERS or (document.kind != "GpuPool" and "clusters" not in mapping_at(spec)):
        return None
    wanted = spec.get("clusters") if isinstance(spec, dict) else None
    if isinstance(wanted, list):
        return {name for name in wanted if isinstance(name, str)}
    matched = wanted.get("matchLabels") if isinstance(wanted, dict) else None
    if not isinstance(matched, dict):
        return set()
    return {name for name, own in labels.items() if _has_labels(own, matched)}


def _has_labels(labels: Mapping[str, Any], matched: Mapping[str, Any]) -> bool:
    return all(labels.get(key) == value for key, value in matched.items())
