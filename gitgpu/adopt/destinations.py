"""Where a key of a pool is set: in the GpuPool itself, or in the Cluster."""

from collections.abc import Sequence
from typing import Any

from gitgpu.access import MAPPING
from gitgpu.adopt.adoption import ClusterDocument, Destination, Fate, Outcome, SpecDocument
from gitgpu.source import Pointer

_OF_CLUSTER = ("network", "resourceId", "region")
_DEFAULTS = ("spec", "pool")


class Destinations:
    """Finds keys in the documents of a fleet."""

    def __init__(self, documents: Sequence[ClusterDocument]) -> None:
        self.clusters = {document.name: document for _, document in documents if document.kind == "Cluster"}
        self.pools = {(name, document.name): document for name, document in documents if document.kind == "GpuPool"}

    def of(self, outcome: Outcome, key: Pointer | None, cluster: str, pool: str) -> Outcome:
        """The outcome with the place that sets `key`, a pointer in the GpuPool of this name, for a cluster."""
        document = self.pools.get((cluster, pool))
        if outcome.fate is not Fate.ADOPTED or document is None:
            return outcome
        if destination := self._place(key or (), document, cluster):
            return outcome._replace(into=destination)
        where = Destination("GpuPool", document.name, (), cluster)
        return outcome._replace(into=where, reason=outcome.reason or "written by gitgpu itself")

    def _place(self, key: Pointer, document: SpecDocument, cluster: str) -> Destination | None:
        """The place that sets a key, by precedence; `key` is its pointer in a GpuPool."""
        if key[:1] == ("metadata",):
            return Destination("GpuPool", document.name, key if key[1:] == ("name",) else key[:1], cluster)
        if len(key) < 2:
            return None
        if key[1] in _OF_CLUSTER:
            return _within(self.clusters[cluster], key)
        return (
            _within(document, key, cluster)
            or _within(self.clusters[cluster], (*_DEFAULTS, *key[1:]))
            or (_within(self.clusters[cluster], ("spec", "network", "subnet")) if key[1] == "subnet" else None)
        )


def _within(document: SpecDocument, key: Pointer, cluster: str = "") -> Destination | None:
    """The longest part of a pointer that the document has, if it leads to a key of a pool."""
    length = _depth({"spec": document.spec}, key)
    is_of_pool = length > (len(_DEFAULTS) if key[: len(_DEFAULTS)] == _DEFAULTS else 1)
    return Destination(document.kind, document.name, key[:length], cluster) if is_of_pool else None


def _depth(value: Any, key: Pointer) -> int:
    """How many leading parts of a pointer exist in a value."""
    for length, part in enumerate(key):
        listed = isinstance(value, (list, tuple)) and isinstance(part, int) and part < len(value)
        if not listed and not (isinstance(value, MAPPING) and part in value):
            return length
        value = value[part]
    return len(key)
