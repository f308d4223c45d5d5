"""The files that an editor or a run has read."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from lsprotocol.types import Location, PositionEncodingKind, TextEdit

from gitgpu.editor.positions import Positions


class Files(NamedTuple):
    """Texts by name, the URI of each name, and the units in which the editor counts columns."""

    texts: Mapping[str, str]
    uri: Callable[[str], str]
    encoding: str = PositionEncodingKind.Utf16

    def positions(self, name: str) -> Positions:
        """The lines of a file; those of an empty text if it has not been read."""
        return _positions(self.texts.get(name, ""), self.encoding)

    def location(self, name: str, start: int, end: int) -> Location:
        """The characters of a file from `start` to `end`."""
        return Location(self.uri(name), self.positions(name).range(start, end))

    def edit(self, name: str, after: str) -> TextEdit | None:
        """The shortest edit that makes a file what it is `after`; None if it is the same."""
        before = self.texts.get(name, "")
        if before == after:
            return None
        start = _common(before, after)
        end = _common(before[start:][::-1], after[start:][::-1])
        changed = self.positions(name).range(start, len(before) - end)
        return TextEdit(changed, after[start : len(after) - end])

    def line_edits(self, name: str, after: str) -> list[TextEdit]:
        """The edits of the lines in which a file differs from a text with as many lines: one for each line."""
        pairs = zip(self.texts.get(name, "").splitlines(keepends=True), after.splitlines(keepends=True), strict=True)
        edits: list[TextEdit] = []
        start = 0
        for before, line in pairs:
            if before != line:
                first, last = _common(before, line), _common(before[::-1], line[::-1])
                last = min(last, len(before) - first, len(line) - first)
                changed = self.positions(name).range(start + first, start + len(before) - last)
                edits.append(TextEdit(changed, line[first : len(line) - last]))
            start += len(before)
        return edits


@lru_cache(64)
def _positions(content: str, encoding: str) -> Positions:
    return Positions(content, encoding)


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with."""
    length = min(len(one), len(other))
    return next((index for index in range(length) if one[index] != other[index]), length)
