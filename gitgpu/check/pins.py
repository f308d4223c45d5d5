"""The versions that stacks pin, each with its place."""

from typing import NamedTuple

from gitgpu.check.value_origins import stack_place
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import Origin
from gitgpu.source import Pointer, Span


class Pin(NamedTuple):
    """A version of a chart or image, where it is written, and the clusters that get it."""

    software: str
    version: str
    origin: Origin
    pointer: Pointer
    clusters: tuple[Cluster, ...]


def pins(inputs: Inputs) -> list[Pin]:
    """Every pin that a cluster gets, once for each place, in order of the clusters."""
    found: dict[Span, Pin] = {}
    for cluster in inputs.clusters:
        for software, version in cluster.stack.versions.items():
            origin, pointer = stack_place(inputs, cluster, "versions", software)
            pin = found.setdefault(origin.span(pointer), Pin(software, version, origin, pointer, ()))
            found[origin.span(pointer)] = pin._replace(clusters=(*pin.clusters, cluster))
    return list(found.values())
