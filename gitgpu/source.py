"""Where a value stands: a Pointer names it, a Span shows it, a SourceMap joins the two."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

Pointer: TypeAlias = tuple[str | int, ...]


class Span(NamedTuple):
    """A place in a file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def pointer_text(pointer: Sequence[str | int]) -> str:
    """The RFC 6901 text of a pointer: ("spec", "a/b", 0) is "/spec/a~1b/0", the whole document is ""."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in pointer)


class Mark(NamedTuple):
    """A place as parsers count: from 0."""

    line: int
    column: int


class SourceMap(NamedTuple):
    """The places of one document.

    `marks` is a tree beside the data: a mapping node is {key: (key mark, value mark, child)}, a sequence node is
    [(mark, mark, child), ...], a scalar has no child (None). A mark is anything with 0-based `line` and `column`.
    """

    file: str
    start: Any
    marks: Any

    @classmethod
    def of(cls, place: Span) -> "SourceMap":
        """The map of something that stands in one place as a whole."""
        return cls(place.file, Mark(place.line - 1, place.column - 1), None)

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of the value that `pointer` names (of its key with `key=True`).

        A pointer to something that is not written (a default, a missing key) gives its nearest written parent.
        """
        mark, node = self.start, self.marks
        for part in pointer:
            entry = _entry(node, part)
            if entry is None:
                break
            mark, node = entry[0] if key else entry[1], entry[2]
        return Span(self.file, mark.line + 1, mark.column + 1)

    def has(self, pointer: Sequence[str | int]) -> bool:
        """Has the value a place of its own, apart from what is around it?"""
        around, mark, node = None, self.start, self.marks
        for part in pointer:
            entry = _entry(node, part)
            if entry is None:
                return False
            around, mark, node = mark, entry[1], entry[2]
        return around is not None and (around.line, around.column) != (mark.line, mark.column)

    def lent(self, part: Pointer, to: Pointer) -> "SourceMap":
        """The map of a document that has at `to` what this one has at `part`; all else stands where this one starts."""
        entry, node = None, self.marks
        for step in part:
            entry = _entry(node, step)
            node = entry[2] if entry else None
        for step in reversed(to):
            entry = (self.start, self.start, {step: entry})
        return SourceMap(self.file, self.start, entry[2] if entry else None)

    def patched(self, at: Pointer, by: Pointer, patch: Any) -> "SourceMap":
        """The map of a document whose value at `at` has been merged with the patch at `by`: RFC 7386.

        What the patch says is where the patch says it. That is also true of a null: the place of what it removes.
        """
        over: Any = (self.start, self.start, self.marks)
        for step in by:
            over = _entry(over[2], step) or (self.start, self.start, None)
        return SourceMap(self.file, self.start, _replaced(self.marks, at, over, patch))


def _replaced(node: Any, at: Pointer, over: Any, patch: Any) -> Any:
    """The marks with those of a patch merged in below `at`."""
    if not at:
        return _merged((None, None, node), over, patch)[2]
    if not isinstance(node, dict) or at[0] not in node:
        return node
    key, value, child = node[at[0]]
    return {**node, at[0]: (key, value, _replaced(child, at[1:], over, patch))}


def _merged(under: Any, over: Any, patch: Any) -> Any:
    """The entry of a value after a patch: keys that the patch does not name keep their marks."""
    if not isinstance(patch, dict) or not isinstance(over[2], dict):
        return over
    below = dict(under[2]) if under and isinstance(under[2], dict) else {}
    for key, value in patch.items():
        if key in over[2]:
            below[key] = _merged(below.get(key), over[2][key], value)
    return over[0], over[1], below


def _entry(node: Any, part: str | int) -> Any:
    if isinstance(node, dict):
        return node.get(part)
    if isinstance(node, list) and isinstance(part, int) and 0 <= part < len(node):
        return node[part]
    return None
