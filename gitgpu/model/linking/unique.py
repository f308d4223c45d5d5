"""The documents that count: the first of each name; pools may have one name where their clusters are disjoint."""

from collections.abc import Mapping, Sequence
from typing import Any

from gitgpu.load.explain.messages import value_text
from gitgpu.load.spec.shape import Document
from gitgpu.model.linking.faults import Faults, fault
from gitgpu.model.names import asked, written
from gitgpu.source import Pointer

_NAME: Pointer = ("metadata", "name")


def unique(kind: str, documents: Sequence[Document], faults: Faults) -> tuple[list[Document], set[str]]:
    """The documents of a kind, the first of each name, and the names that may be asked for.

    A name that nothing has is likely the one that a double was to have: then it is reported there, and once.
    """
    own = sorted(
        (document for document in documents if document.kind == kind), key=lambda d: (d.ref[1:], d.places.span())
    )
    kept, doubles = _doubles(own, documents)
    names = written(own)
    lost = asked(kind, documents) - names
    lost = lost if len(lost) <= len(doubles) else set()
    also = f"; other documents refer to {' or '.join(map(value_text, sorted(lost)))}" if lost else ""
    for double, first, shared in doubles if kind != "Fleet" else ():
        where = f" on {', '.join(sorted(shared))}" if shared else ""
        message = f"duplicate {kind} '{double.ref.name}'{where}; the first is at {first.places.span(_NAME)}"
        remedy = f"give it a unique name{', or other clusters' if shared and not lost else ''}{also}"
        faults.append(fault("LNK003", double, _NAME, (message, remedy)))
    return own if kind == "Fleet" else kept, names | lost


def _doubles(
    own: Sequence[Document], documents: Sequence[Document]
) -> tuple[list[Document], list[tuple[Document, Document, set[str]]]]:
    """The documents that count, and each other one with the first of its name and the clusters that both are on."""
    labels = _labels(documents)
    kept: list[Document] = []
    doubles: list[tuple[Document, Document, set[str]]] = []
    earlier: dict[tuple[str, ...], list[Document]] = {}
    for document in own:
        others = earlier.setdefault(document.ref[1:], [])
        here = _clusters(document, labels) if others and document.kind == "GpuPool" else set()
        shared = ((other, here & _clusters(other, labels)) for other in others)
        clash = next((found for found in shared if found[1] or document.kind != "GpuPool"), None)
        if clash and document.ref.name:
            doubles.append((document, *clash))
        elif not clash:
            kept.append(document)
            others.append(document)
    return kept, doubles


def _labels(documents: Sequence[Document]) -> dict[str, Mapping[str, Any]]:
    """The labels of each cluster, as far as they can be read."""
    metas = [document.data.get("metadata") for document in documents if document.kind == "Cluster"]
    found = {str(meta.get("name", "")): meta.get("labels") for meta in metas if isinstance(meta, dict)}
    return {name: labels if isinstance(labels, dict) else {} for name, labels in found.items()}


def _clusters(pool: Document, labels: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The names of the clusters that a pool asks for; none where that cannot be read."""
    spec = pool.data.get("spec")
    wanted = spec.get("clusters") if isinstance(spec, dict) else None
    if isinstance(wanted, list):
        return {name for name in wanted if isinstance(name, str)}
    matched = wanted.get("matchLabels") if isinstance(wanted, dict) else None
    if not isinstance(matched, dict):
        return set()
    return {name for name, own in labels.items() if all(own.get(key) == value for key, value in matched.items())}
