"""Where a value is written: in the document itself, or in the Fleet's defaults for pools."""

from gitgpu.model.fleet import Origin, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.source import Pointer


def is_written(origin: Origin, pointer: Pointer) -> bool:
    """Whether the document itself holds the value."""
    return origin.span(pointer) != origin.span(pointer[:-1])


def pool_place(inputs: Inputs, pool: Pool, *path: str | int) -> tuple[Origin, Pointer]:
    """The document and the pointer of `spec.<path>` of a pool: the Fleet's where only its defaults say it."""
    own, shared = ("spec", *path), ("spec", "defaults", "pool", *path)
    if not is_written(pool.origin, own) and is_written(inputs.fleet.origin, shared):
        return inputs.fleet.origin, shared
    return pool.origin, own
