"""Values in the spec that no pool uses."""

from collections.abc import Callable, Hashable, Iterator

from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import SpecPlace
from gitgpu.model.value_origins import written_pool_place
from gitgpu.source import Pointer


def unused_values(inputs: Inputs, path: Pointer, is_unused: Callable[[Pool], bool]) -> Iterator[SpecPlace]:
    """The places that set `spec.<path>` without an effect on any pool.

    A pool with overrides becomes several pools, and pools share defaults: an effect on one of them is enough.
    """
    readers: dict[Hashable, tuple[SpecPlace, list[Pool]]] = {}
    for pool in inputs.pools:
        if place := written_pool_place(pool, *path):
            _, pools = readers.setdefault(place.origin.place(place.pointer), (place, []))
            pools.append(pool)
    for place, pools in readers.values():
        if all(map(is_unused, pools)):
            yield place
