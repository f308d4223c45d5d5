"""Values of the spec that no pool uses."""

from collections.abc import Callable, Iterator

from gitgpu.check.value_origins import written_pool_place
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import Origin
from gitgpu.source import Pointer, Span


def unused_values(inputs: Inputs, path: Pointer, is_unused: Callable[[Pool], bool]) -> Iterator[tuple[Origin, Pointer]]:
    """The places that write `spec.<path>` without an effect on any pool.

    A pool with overrides is several pools, and pools share defaults: an effect on one of them is enough.
    """
    readers: dict[Span, list[tuple[Pool, Origin, Pointer]]] = {}
    for pool in inputs.pools:
        if place := written_pool_place(inputs, pool, *path):
            origin, where = place
            readers.setdefault(origin.span(where), []).append((pool, origin, where))
    for found in readers.values():
        if all(is_unused(pool) for pool, _, _ in found):
            yield found[0][1:]
