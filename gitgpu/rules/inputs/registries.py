"""The registries of clusters: where the spec sets them, and text that refers to a public registry."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import SpecPlace
from gitgpu.model.syntax.image import image_fault
from gitgpu.model.syntax.reference import reference
from gitgpu.model.value_origins import is_written
from gitgpu.source import Pointer

_CONTAINERS = (("containers",), ("initContainers",))


def registry_place(inputs: Inputs, cluster: Cluster, key: str) -> SpecPlace:
    """The place of `spec.registry.<key>` of a cluster: in the Fleet if only the Fleet sets the key."""
    place: Pointer = ("spec", "registry", key)
    written = is_written(cluster.origin, place) or not is_written(inputs.fleet.origin, place)
    return SpecPlace(cluster.origin if written else inputs.fleet.origin, place)


def mirrored_clusters(inputs: Inputs) -> Iterator[tuple[Cluster, str]]:
    """The clusters with a mirror, and the mirror."""
    for cluster in inputs.clusters:
        if cluster.registry.mirror:
            yield cluster, cluster.registry.mirror


def public_images(value: Any, hosts: Collection[str], pointer: Pointer = ()) -> Iterator[tuple[Pointer, str]]:
    """The texts in a value that start with the host of a public registry and a path, with their pointers.

    The image of a container without a registry is from Docker Hub.
    """
    if isinstance(value, Mapping):
        for key, below in value.items():
            yield from public_images(below, hosts, (*pointer, key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from public_images(below, hosts, (*pointer, index))
    elif isinstance(value, str):
        is_container_image = pointer[-1:] == ("image",) and pointer[-3:-2] in _CONTAINERS
        text = reference(value).text if is_container_image and not image_fault(value) else value
        host, _, rest = text.partition("/")
        if rest and host in hosts:
            yield pointer, text
