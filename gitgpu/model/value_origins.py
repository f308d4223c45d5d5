"""Where a value is set: in the document itself, or in the defaults of a Cluster or the Fleet."""

from collections.abc import Iterable, Iterator

from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import Layer, Origin, SpecPlace
from gitgpu.source import Pointer

PROVISIONER: Pointer = ("spec", "provisioner")


def is_written(origin: Origin, pointer: Pointer) -> bool:
    """Whether the document itself sets the value."""
    return origin.holds(pointer)


def pool_place(pool: Pool, *path: str | int) -> SpecPlace:
    """The place of `spec.<path>` of a pool: in the Cluster or the Fleet if their defaults set it."""
    return written_place(pool.origin, ("spec", *path))


def written_pool_place(pool: Pool, *path: str | int) -> SpecPlace | None:
    """The same; None if nothing sets the value."""
    return _written(pool.origin, ("spec", *path))


def stack_place(cluster: Cluster, *path: str | int) -> SpecPlace:
    """The place of `spec.stack.<path>` of a cluster: in the Fleet if its ring or defaults set it."""
    return written_place(cluster.origin, ("spec", "stack", *path))


def shared_stacks(inputs: Inputs) -> Iterator[tuple[Layer, tuple[Cluster, ...]]]:
    """Each stack that the Fleet defines for several clusters, with these clusters: for its rings, and by default."""
    by_place: dict[Pointer, tuple[Layer, list[Cluster]]] = {}
    for cluster in inputs.clusters:
        for layer in cluster.origin.defaults:
            if "stack" in layer.values:
                _, own = by_place.setdefault(layer.at, (layer, []))
                own.append(cluster)
    return ((layer, tuple(clusters)) for layer, clusters in by_place.values())


def written_place(origin: Origin, pointer: Pointer) -> SpecPlace:
    """The place that sets a value of a document: the document itself, or its ring or the defaults."""
    return _written(origin, pointer) or SpecPlace(origin, pointer)


def _written(origin: Origin, pointer: Pointer) -> SpecPlace | None:
    if is_written(origin, pointer):
        return SpecPlace(origin, pointer)
    path = pointer[1:]
    layer = next((layer for layer in origin.defaults if layer.holds(path)), None)
    return SpecPlace(layer.origin, (*layer.at, *path)) if layer else None


def with_place(text: str, origin: Origin, pointer: Pointer) -> str:
    """The text with the place of its subject: "prod-swc (fleet.yaml:8:12)"; no place for a default."""
    return f"{text} ({origin.span(pointer)})" if is_written(origin, pointer) else text


def pool_with_place(pool: Pool, *path: str | int) -> str:
    """The pool with the place where it sets a value."""
    return with_place(pool.name, *pool_place(pool, *path))


def cluster_with_place(cluster: Cluster, *path: str | int) -> str:
    """The cluster with the place where it sets a value."""
    return with_place(cluster.name, cluster.origin, ("spec", *path))


def clusters_with_provisioner(pool: Pool, clusters: Iterable[Cluster]) -> list[str]:
    """Clusters of a pool, each with the place that sets the provisioner of the pool: in the pool or the Cluster."""
    if is_written(pool.origin, PROVISIONER):
        return [with_place(cluster.name, pool.origin, PROVISIONER) for cluster in clusters]
    return [with_place(cluster.name, cluster.origin, PROVISIONER) for cluster in clusters]


def stack_with_place(cluster: Cluster, *path: str | int) -> str:
    """The cluster with the place where its stack sets a value."""
    return with_place(cluster.name, *stack_place(cluster, *path))
