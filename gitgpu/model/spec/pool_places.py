"""The places of the values of an object that a pool generates.

Such places are sent to another process, which need not import what generates the object.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gitgpu.model.spec.origin import Origin
from gitgpu.source import Pointer, Span


class PoolPlaces(NamedTuple):
    """The places of an object of a pool: `routes` map pointers in the object to paths in the spec."""

    origin: Origin
    routes: Mapping[Pointer, Pointer]

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of the spec value that sets a value; with `key`, the place of its key.

        If it is not written, this is the nearest written value that contains it; if there is none, the document.
        """
        path = self._path(tuple(pointer))
        for end in range(len(path), 0, -1):
            part = path[:end]
            if self.origin.holds(("spec", *part)):
                return self.origin.span(("spec", *part), key=key)
            layer = next((layer for layer in self.origin.defaults if layer.holds(part)), None)
            if layer:
                return layer.origin.span((*layer.at, *part), key=key)
        return self.origin.mark.span

    def _path(self, pointer: Pointer) -> Pointer:
        for end in range(len(pointer), 0, -1):
            if pointer[:end] in self.routes:
                return (*self.routes[pointer[:end]], *pointer[end:])
        return ()
