"""Where a value is written: a Pointer names it, a Span is its place, a SourceMap maps one to the other."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

Pointer: TypeAlias = tuple[str | int, ...]


class Span(NamedTuple):
    """A place in a file; line and column count from 1, or are 0 for the whole file. Without a file, `file` is ""."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def pointer_text(pointer: Sequence[str | int]) -> str:
    """The RFC 6901 text of a pointer: ("spec", "a/b", 0) is "/spec/a~1b/0", the whole document is ""."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in pointer)


def dotted_text(pointer: Sequence[str | int]) -> str:
    """A pointer as in messages: ("spec", "template", "spec") is "spec.template.spec"."""
    return ".".join(map(str, pointer))


class Mark(NamedTuple):
    """A place as parsers count: from 0."""

    line: int
    column: int


class SourceMap(NamedTuple):
    """The places of one document.

    `marks` is a tree like the data: a mapping node is {key: (key mark, value mark, child)}, a sequence node is
    [(mark, mark, child), ...], a scalar has no child (None). A mark is anything with 0-based `line` and `column`.
    """

    file: str
    start: Any
    marks: Any

    @classmethod
    def of(cls, place: Span) -> "SourceMap":
        """The map of a value with only one place."""
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
            key_mark, value_mark, node = entry
            mark = key_mark if key else value_mark
        return Span(self.file, mark.line + 1, mark.column + 1)

    def has(self, pointer: Sequence[str | int]) -> bool:
        """Whether the value has a place that differs from that of its parent."""
        parent, mark, node = None, self.start, self.marks
        for part in pointer:
            entry = _entry(node, part)
            if entry is None:
                return False
            parent = mark
            _, mark, node = entry
        return parent is not None and (parent.line, parent.column) != (mark.line, mark.column)

    def move(self, part: Pointer, to: Pointer) -> "SourceMap":
        """The map of a document that has at `to` what this one has at `part`; all other places are its start."""
        entry, node = None, self.marks
        for step in part:
            entry = _entry(node, step)
            _, _, node = entry or _NO_ENTRY
        for step in reversed(to):
            entry = (self.start, self.start, {step: entry})
        _, _, marks = entry or _NO_ENTRY
        return SourceMap(self.file, self.start, marks)

    def patch(self, at: Pointer, by: Pointer, patch: Any) -> "SourceMap":
        """The map of a document whose value at `at` has been merged with the patch at `by`: RFC 7386.

        Values of the patch have their places in the patch. So has a removed value: the place of its null.
        """
        over: Any = (self.start, self.start, self.marks)
        for step in by:
            _, _, marks = over
            over = _entry(marks, step) or (self.start, self.start, None)
        return SourceMap(self.file, self.start, _replaced(self.marks, at, over, patch))


_NO_ENTRY = (None, None, None)


def _replaced(node: Any, at: Pointer, over: Any, patch: Any) -> Any:
    """The marks with those of a patch merged in below `at`."""
    if not at:
        _, _, marks = _merged((None, None, node), over, patch)
        return marks
    step, *below = at
    if not isinstance(node, dict) or step not in node:
        return node
    key, value, child = node[step]
    return {**node, step: (key, value, _replaced(child, tuple(below), over, patch))}


def _merged(under: Any, over: Any, patch: Any) -> Any:
    """The entry of a value after a patch: keys that the patch does not name keep their marks."""
    key_mark, value_mark, new = over
    if not isinstance(patch, dict) or not isinstance(new, dict):
        return over
    _, _, old = under or _NO_ENTRY
    merged = dict(old) if isinstance(old, dict) else {}
    for key, value in patch.items():
        if key in new:
            merged[key] = _merged(merged.get(key), new[key], value)
    return key_mark, value_mark, merged


def _entry(node: Any, part: str | int) -> Any:
    if isinstance(node, dict):
        return node.get(part)
    if isinstance(node, list) and isinstance(part, int) and 0 <= part < len(node):
        return node[part]
    return None
