"""The names of documents: referenced names, duplicates and similar names."""

import re
from bisect import bisect
from collections.abc import Collection, Iterable

from gitgpu.load.spec.shape import Document
from gitgpu.spelling import MAX_LISTED, nearest, one_of

# Names before and after, in order, that are searched for a similar one. Passing all of 10,000 takes four times as long.
_AROUND = 200
_REFERRING = {"Cluster": ("GpuPool", "clusters"), "GpuPool": ("GpuWorkload", "pools")}


def referenced_names(kind: str, documents: Iterable[Document]) -> set[str]:
    """The names of this kind that valid documents refer to."""
    referring, key = _REFERRING.get(kind, ("", ""))
    referred: set[str] = set()
    for document in documents:
        names = document.data["spec"].get(key) if document.kind == referring and document.sound else None
        if isinstance(names, list):
            referred.update(names)
    return referred


def names_and_labels(documents: Iterable[Document]) -> set[str]:
    """The names of documents, and for each invalid one also the DNS label that it should be."""
    names = {document.ref.name for document in documents}
    return names | {label(name) for name in names}


def label(name: str) -> str:
    """The most similar DNS label. A name that is one stays as it is."""
    return re.sub(r"[^a-z0-9-]", "-", name.lower()).strip("-")


def missing_name_remedy(name: str, names: Collection[str], kind: str) -> str:
    """What to do about a name that no document has."""
    ordered, small = sorted(set(map(label, names))), name.lower()  # all labels are in lower case
    index = bisect(ordered, small)
    closest = nearest(small, ordered[max(0, index - _AROUND) : index + _AROUND])
    if closest:
        return f"did you mean '{closest}'?"
    return f"use {one_of(ordered[:MAX_LISTED])}" if ordered else f"create a document of kind: {kind}"
