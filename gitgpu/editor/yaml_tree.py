"""The nodes of a YAML text with the places where they begin and end, also of a text that is only half written."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import yaml
from yaml.cyaml import CParser  # type: ignore[attr-defined]

from gitgpu.load.parse.events import MAX_DEPTH
from gitgpu.source import Pointer

_MARKER = re.compile(r"^(?:---|\.\.\.)(?=[ \t\r\n]|\Z)", re.MULTILINE)
MAX_TREE = 1_000_000  # characters of a document that is parsed while a user types in it


class Node(NamedTuple):
    """A value from `start` to `end`. `text` is None unless it is a scalar, `name` the name of an alias.

    Entries of a mapping have a key; those of a list have none. `bare` is a scalar without quotes.
    """

    start: int
    end: int
    text: str | None = None
    entries: "tuple[tuple[Node | None, Node], ...]" = ()
    is_mapping: bool = False
    bare: bool = False

    def get(self, *keys: str) -> "Node | None":
        """The value below these keys, or None."""
        node: Node | None = self
        for key in keys:
            entries = node.entries if node and node.is_mapping else ()
            node = next((value for name, value in entries if name and name.text == key), None)
        return node

    def text_at(self, *keys: str) -> str:
        """The text of the scalar below these keys, or ""."""
        node = self.get(*keys)
        return node.text or "" if node else ""


class Part(NamedTuple):
    """A document in a text: its characters from `start` on, without the marker before it, and its root node."""

    start: int
    content: str

    @property
    def root(self) -> Node | None:
        """Its root; None if it is empty or not YAML. Places in it count from the start of the part."""
        return _root(self.content)

    @property
    def end(self) -> int:
        """The index behind its last character."""
        return self.start + len(self.content)


class Spot(NamedTuple):
    """Where an index is: the path of the value, whether it is in its key, that node, and the values around it."""

    path: Pointer
    at_key: bool
    node: Node
    around: tuple[Node, ...]


def parts(content: str) -> Iterator[Part]:
    """The documents of a text, split at lines that begin with --- or `...`."""
    starts = [0, *(found.end() for found in _MARKER.finditer(content))]
    ends = [*(found.start() for found in _MARKER.finditer(content)), len(content)]
    for start, end in zip(starts, ends, strict=True):
        yield Part(start, content[start:end])


def part_at(content: str, index: int) -> Part:
    """The document at an index."""
    found = Part(0, content)
    for part in parts(content):
        if part.start <= index:
            found = part
    return found


def spot(root: Node, index: int) -> Spot:
    """The innermost node at an index."""
    path: list[str | int] = []
    around: list[Node] = []
    node = root
    while node.entries:
        around.append(node)
        for number, (key, value) in enumerate(node.entries):
            if key and key.start <= index <= key.end:
                return Spot((*path, key.text or ""), True, key, tuple(around))
            if value.start <= index <= value.end:
                path.append(key.text or "" if key else number)
                node = value
                break
        else:
            break
    return Spot(tuple(path), False, node, tuple(around))


def scalars(node: Node, path: Pointer = ()) -> Iterator[tuple[Pointer, Node]]:
    """Every scalar below a node, with its path."""
    if node.text is not None:
        yield path, node
    for number, (key, value) in enumerate(node.entries):
        yield from scalars(value, (*path, key.text or "" if key else number))


def parse(content: str) -> Node | None:
    """The root of the first document; None if it is empty, not YAML, nested too deeply or very long."""
    if len(content) > MAX_TREE:
        return None
    try:
        return _Builder(content).root()
    except (yaml.YAMLError, UnicodeError, RecursionError):
        return None


@lru_cache(2048)  # an edit changes one document of a fleet
def _root(content: str) -> Node | None:
    return parse(content)


class _Builder:
    """Builds nodes from the events of a parser. Raises YAMLError, also for a value that is nested too deeply."""

    def __init__(self, content: str) -> None:
        self.parser = CParser(content)

    def root(self) -> Node | None:
        """The root of the first document; None if there is none."""
        while not isinstance(event := self.parser.get_event(), yaml.DocumentStartEvent | yaml.StreamEndEvent):
            pass
        return None if isinstance(event, yaml.StreamEndEvent) else self.node(self.parser.get_event(), 0)

    def node(self, event: Any, depth: int) -> Node:
        """The node that begins with an event."""
        start, end = event.start_mark.index, event.end_mark.index
        if depth > MAX_DEPTH:
            raise yaml.YAMLError("nested too deeply")
        if isinstance(event, yaml.ScalarEvent):
            return Node(start, end, event.value, bare=not event.style)
        if isinstance(event, yaml.AliasEvent):
            return Node(start, end)
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(start, depth + 1)
        return self.sequence(start, depth + 1)

    def mapping(self, start: int, depth: int) -> Node:
        """A mapping up to its end event."""
        entries: list[tuple[Node | None, Node]] = []
        while not isinstance(event := self.parser.get_event(), yaml.MappingEndEvent):
            key = self.node(event, depth)
            entries.append((key, self.node(self.parser.get_event(), depth)))
        return Node(start, _end(event, entries), None, tuple(entries), is_mapping=True)

    def sequence(self, start: int, depth: int) -> Node:
        """A list up to its end event."""
        entries: list[tuple[Node | None, Node]] = []
        while not isinstance(event := self.parser.get_event(), yaml.SequenceEndEvent):
            entries.append((None, self.node(event, depth)))
        return Node(start, _end(event, entries), None, tuple(entries))


def _end(event: Any, entries: list[tuple[Node | None, Node]]) -> int:
    """Where a mapping or list ends: at its bracket, or with its last value, not at the next token."""
    mark: int = event.end_mark.index
    if event.start_mark.index < mark or not entries:
        return mark
    _, last = entries[-1]
    return last.end
