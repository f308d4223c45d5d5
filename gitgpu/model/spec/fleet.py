"""What the document of the whole fleet says that is not the default of a cluster or pool."""

from typing import NamedTuple

from gitgpu.model.spec.origin import Origin


class Fleet(NamedTuple):
    """The document that speaks for the whole fleet; `rings` are the names of its rings, in order."""

    name: str
    origin: Origin
    rings: tuple[str, ...] = ()
