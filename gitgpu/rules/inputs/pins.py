"""The versions that stacks pin, each with its place."""

from collections.abc import Hashable, Iterable
from typing import NamedTuple

from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import Origin
from gitgpu.model.value_origins import stack_place
from gitgpu.source import Pointer

_NEWEST = ("latest", "newest", "stable", "current")


class Pin(NamedTuple):
    """A pinned version of a chart or image, its place, and the clusters that get it."""

    software: str
    version: str
    origin: Origin
    pointer: Pointer
    clusters: tuple[Cluster, ...]


def pins(inputs: Inputs) -> list[Pin]:
    """Every pin that applies to a cluster, once for each place, in order of the clusters."""
    by_place: dict[Hashable, tuple[Pin, list[Cluster]]] = {}
    for cluster in inputs.clusters:
        for software, version in cluster.stack.versions.items():
            origin, pointer = stack_place(cluster, "versions", software)
            pin = Pin(software, version, origin, pointer, ())
            by_place.setdefault(origin.place(pointer), (pin, []))[1].append(cluster)
    return [pin._replace(clusters=tuple(clusters)) for pin, clusters in by_place.values()]


def means_newest(version: str) -> bool:
    """Whether it is a word for the newest version, such as latest."""
    return version.lower() in _NEWEST


def same_version(version: str, versions: Iterable[str]) -> str | None:
    """The one of these versions that was probably meant: v26.3.3 for 26.3.3 or v26.3.3-1."""
    return next((other for other in versions if _bare(other) == _bare(version)), None)


def _bare(version: str) -> str:
    """A version without the letter v, and without what follows a plus or minus."""
    return version.removeprefix("v").partition("-")[0].partition("+")[0]
