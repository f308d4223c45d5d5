"""The settings of a Fleet document that are not defaults of clusters or pools."""

from typing import NamedTuple

from gitgpu.model.spec.origin import Origin


class Fleet(NamedTuple):
    """The document about the whole fleet. `rings` are the names of its rings, in order."""

    name: str
    origin: Origin
    rings: tuple[str, ...] = ()
