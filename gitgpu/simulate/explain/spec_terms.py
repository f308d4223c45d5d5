"""The keys in the spec that set a field of an emitted object, so that a reason names what the user can change."""

from collections.abc import Sequence
from typing import NamedTuple

from gitgpu.diagnostic import Places
from gitgpu.source import Pointer, Span

_TEMPLATE: Pointer = ("spec", "template")
_POOL: tuple[tuple[Pointer, tuple[str, ...]], ...] = (
    (("spec", "limits"), ("limits",)),
    ((*_TEMPLATE, "metadata", "labels"), ("labels",)),
    ((*_TEMPLATE, "spec", "taints"), ("taints",)),
    ((*_TEMPLATE, "spec", "requirements"), ("sku", "requirements")),
)
_WORKLOAD: tuple[tuple[Pointer, tuple[str, ...]], ...] = (
    ((*_TEMPLATE, "spec", "affinity"), ("pools",)),
    ((*_TEMPLATE, "spec", "tolerations"), ("pools",)),
    ((*_TEMPLATE, "spec", "containers"), ("gpus",)),
)


class SpecTerms(NamedTuple):
    """The places of a NodePool or a workload's patch, in the document in the spec that it was built from.

    If a pool `retires`, that key sets its limits.
    """

    places: Places
    retires: bool = False

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of the spec key that sets a value, or of the whole document if none does."""
        whole, spec = self.places.span(), self.places.span(("spec",))
        for head, keys in (*_POOL, *_WORKLOAD):
            if tuple(pointer[: len(head)]) == head:
                names = ("retire",) if self.retires and keys == ("limits",) else keys
                spans = (self.places.span(("spec", name), key=key) for name in names)
                # A key that the document does not have gets the place of its `spec`.
                return next((span for span in spans if span != spec), whole)
        return whole
