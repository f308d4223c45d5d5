"""Where a value is written: in the document itself, or in the defaults of a Cluster or the Fleet."""

from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import Origin
from gitgpu.source import Pointer


def is_written(origin: Origin, pointer: Pointer) -> bool:
    """Whether the document itself holds the value."""
    return origin.holds(pointer)


def pool_place(_: Inputs, pool: Pool, *path: str | int) -> tuple[Origin, Pointer]:
    """The document and the pointer of `spec.<path>` of a pool: the Cluster's or the Fleet's if its defaults say it."""
    own = ("spec", *path)
    layers = () if is_written(pool.origin, own) else pool.origin.defaults
    found = (layer for layer in layers if layer.holds(path))
    return next(((layer.origin, (*layer.at, *path)) for layer in found), (pool.origin, own))


def stack_place(inputs: Inputs, cluster: Cluster, *path: str | int) -> tuple[Origin, Pointer]:
    """The document and the pointer of `spec.stack.<path>` of a cluster: the Fleet's where only its defaults say it."""
    own, shared = ("spec", "stack", *path), ("spec", "defaults", "stack", *path)
    if not is_written(cluster.origin, own) and is_written(inputs.fleet.origin, shared):
        return inputs.fleet.origin, shared
    return cluster.origin, own


def with_place(text: str, origin: Origin, pointer: Pointer) -> str:
    """Words with the place of what they tell of: "prod-swc (fleet.yaml:8:12)"; nothing more for a default."""
    return f"{text} ({origin.span(pointer)})" if is_written(origin, pointer) else text


def pool_with_place(inputs: Inputs, pool: Pool, *path: str | int) -> str:
    """The pool with the place where it says a value."""
    return with_place(pool.name, *pool_place(inputs, pool, *path))


def cluster_with_place(cluster: Cluster, *path: str | int) -> str:
    """The cluster with the place where it says a value."""
    return with_place(cluster.name, cluster.origin, ("spec", *path))


def stack_with_place(inputs: Inputs, cluster: Cluster, *path: str | int) -> str:
    """The cluster with the place where its stack says a value."""
    return with_place(cluster.name, *stack_place(inputs, cluster, *path))
