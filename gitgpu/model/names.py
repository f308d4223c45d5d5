"""The names of documents: referenced names, duplicates and similar names."""

import re
from bisect import bisect
from collections.abc import Collection, Iterable

from gitgpu.load.spec.shape import Document
from gitgpu.spelling import nearest

_AROUND = 200  # names before and after, in order, among which a similar one is looked for
_MOST = 8  # names in a remedy
_REFERRING = {"Cluster": ("GpuPool", "clusters"), "GpuPool": ("GpuWorkload", "pools")}


def referenced(kind: str, documents: Iterable[Document]) -> set[str]:
    """The names of this kind that valid documents refer to."""
    referring, key = _REFERRING.get(kind, ("", ""))
    referred: set[str] = set()
    for document in documents:
        names = document.data["spec"].get(key) if document.kind == referring and document.sound else None
        if isinstance(names, list):
            referred.update(names)
    return referred


def written(documents: Iterable[Document]) -> set[str]:
    """The names of documents, and beside each one that is no label the label that it was meant to be."""
    names = {document.ref.name for document in documents}
    return names | {label(name) for name in names}


def label(name: str) -> str:
    """The DNS label that is nearest; a name that is one stays as it is."""
    return re.sub(r"[^a-z0-9-]", "-", name.lower()).strip("-")


def missing_name_remedy(name: str, names: Collection[str], kind: str) -> str:
    """What to do about a name that nothing has."""
    ordered, small = sorted(set(map(label, names))), name.lower()  # as all names are
    at = bisect(ordered, small)
    closest = nearest(small, ordered[max(0, at - _AROUND) : at + _AROUND])
    if closest:
        return f"did you mean '{closest}'?"
    return f"write one of: {', '.join(ordered[:_MOST])}" if ordered else f"write a document of kind: {kind}"
