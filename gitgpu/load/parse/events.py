"""YAML text to plain data with places: one pass over the events of PyYAML's C parser.

The resolver is our own (`scalar`), so nothing is registered on PyYAML's shared classes. Duplicate keys, keys that are
not text, unknown tags, too much nesting and aliases that multiply are faults, never exceptions.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from yaml.cyaml import CParser  # type: ignore[attr-defined]
from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.parse.keys import text_key
from gitgpu.load.parse.parsed import Parsed
from gitgpu.load.parse.plain_json import JsonPart, json_parts
from gitgpu.load.parse.scalars import Scalar, resolve
from gitgpu.load.parse.syntax import MAX_FAULTS, syntax_fault, too_many
from gitgpu.load.text import Text
from gitgpu.source import Mark, SourceMap, Span

MAX_DEPTH = 100  # levels of nesting; the deepest real CRD object needs fewer than 30
_TOO_DEEP = "exceeded maximum nesting depth"  # of libyaml as of 0.2.6: it allows 1,000 levels of [ and {
_NO_START = "did not find expected <document start>"  # of libyaml, at what follows the end of a document
MAX_ALIASED = 20_000  # values that aliases may add to one file
PLAIN = "tag:yaml.org,2002:"
BINARY = (PLAIN + "binary", PLAIN + "timestamp")  # read as text
MERGE = PLAIN + "merge"  # as yq writes `!!merge <<: *anchor`
TAGS = {PLAIN + name: name for name in ("str", "int", "float", "bool", "null", "map", "seq")}


class _RefusedError(Exception):
    """The rest of the file cannot be read; carries the diagnostic."""


def build(text: Text, *, as_json: bool) -> tuple[list[Parsed], list[Diagnostic]]:
    """The result of `parse` for a text without a merge conflict."""
    builder, documents = _Builder(text.name, as_json=as_json), list[Parsed]()
    try:
        documents.extend(builder.documents(CParser(text.content)))
    except YAMLError as error:
        if getattr(error, "problem", "") == _TOO_DEEP:  # the text before it is nested too deeply for gitgpu already
            return build(text._replace(content=text.content[: error.problem_mark.index]), as_json=as_json)  # type: ignore[attr-defined]
        if getattr(error, "problem", "") == _NO_START and (several := _json_documents(text, as_json=as_json)):
            return several
        builder.faults.append(syntax_fault(text, error))
    except _RefusedError as refusal:
        builder.faults.append(refusal.args[0])
    return documents, builder.faults


def _json_documents(text: Text, *, as_json: bool) -> tuple[list[Parsed], list[Diagnostic]] | None:
    """The documents of a text with several JSON values, which kubectl reads as well; None if it is not such a text."""
    builder, documents = _Builder(text.name, as_json=as_json), list[Parsed]()
    try:
        for part in json_parts(text.content):
            documents.extend(builder.documents(_Moved(CParser(part.content), part)))
    except (YAMLError, ValueError, RecursionError):
        return None
    except _RefusedError as refusal:
        builder.faults.append(refusal.args[0])
    return documents, builder.faults


class _Moved(NamedTuple):
    """A parser of a part of a text, whose events have their places in the text."""

    parser: Any
    part: JsonPart

    def get_event(self) -> Any:
        """The next event."""
        event = self.parser.get_event()
        mark = event.start_mark
        column = mark.column if mark.line else mark.column + self.part.column
        event.start_mark = Mark(mark.line + self.part.line, column)
        return event


class _Builder:
    """Builds documents from events, with the faults and anchors of the file, and the size of its aliases."""

    def __init__(self, file: str, *, as_json: bool) -> None:
        self.file, self.as_json = file, as_json
        self.faults: list[Diagnostic] = []
        self.anchors: dict[str, tuple[Any, Any]] = {}
        self.aliased = 0

    def documents(self, parser: Any) -> Iterator[Parsed]:
        """Each document of the stream, even empty ones. Raises YAMLError and _RefusedError."""
        self.next = parser.get_event
        while type(event := self.next()) is not StreamEndEvent:
            if type(event) is DocumentStartEvent:
                self.anchors.clear()  # an anchor is only valid in its document
                first = self.next()
                data, marks = self.node(first, 0)
                yield Parsed(data, SourceMap(self.file, first.start_mark, marks))

    def node(self, event: Any, depth: int) -> tuple[Any, Any]:
        """The value that begins with an event, and its marks: None for a scalar.

        Marks of a mapping are (mark of the key, mark of the value, marks of the value) by key. Those of a list are the
        same by index, with the mark of the value instead of that of a key.
        """
        kind = type(event)
        if kind is AliasEvent:
            return self.alias(event, depth)
        if kind is ScalarEvent:
            built: tuple[Any, Any] = self.scalar(event), None
        else:
            self.limit(depth + 1, event)
            if event.tag is not None and event.tag not in TAGS and event.tag != "!":
                self.tagged(event)
            built = self.mapping(depth + 1) if kind is MappingStartEvent else self.sequence(depth + 1)
        if event.anchor:
            self.anchors[event.anchor] = built
        return built

    def scalar(self, event: Any) -> Scalar:
        """A scalar: bare, quoted, or with an explicit tag."""
        if event.implicit[0]:
            return resolve(event.value)
        return str(event.value) if event.implicit[1] else self.tagged(event)

    def mapping(self, depth: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """A mapping up to its end event. Duplicate keys and keys that are not text are faults, and are omitted."""
        data: dict[str, Any] = {}
        marks: dict[str, Any] = {}
        merges: list[tuple[Any, Any, Any]] = []
        following, node, glued = self.next, self.node, False
        while type(key_event := following()) is not MappingEndEvent:
            if type(key_event) is ScalarEvent and key_event.implicit[0] and key_event.anchor is None:
                key: Any = resolve(key_event.value)  # most keys and values are bare: this saves a call
            else:
                key, _ = node(key_event, depth)
            event = following()
            if type(event) is ScalarEvent and event.implicit[0] and event.anchor is None:
                value, child = resolve(event.value), None
            else:
                value, child = node(event, depth)
            if type(key) is not str and (key := self.text_key(key_event, key)) is None:
                continue
            if key == "<<" and type(key_event) is ScalarEvent and (key_event.implicit[0] or key_event.tag == MERGE):
                merges.append((value, child, event))
            elif key in data:
                glued = glued or self.twice(key, marks[key][0].line + 1, key_event)
            else:
                data[key] = value
                marks[key] = (key_event.start_mark, event.start_mark, child)
        # At the end, because the keys of the mapping have precedence, wherever `<<` is written.
        for value, child, event in merges:
            if not _merge(data, marks, value, child):
                self.add("YML007", "<< needs a mapping or a list of mappings", "use an alias of a mapping", event)
        return data, marks

    def sequence(self, depth: int) -> tuple[list[Any], list[Any]]:
        """A sequence up to its end event."""
        data: list[Any] = []
        marks: list[Any] = []
        while type(event := self.next()) is not SequenceEndEvent:
            value, child = self.node(event, depth)
            data.append(value)
            marks.append((event.start_mark, event.start_mark, child))
        return data, marks

    def alias(self, event: Any, depth: int) -> tuple[Any, Any]:
        """The value of an alias. It counts towards the limits, so that a small file cannot become a large value.

        Raises _RefusedError for an unknown anchor, or beyond a limit.
        """
        if event.anchor not in self.anchors:
            remedy = "write the anchor before its alias; an alias cannot point into itself or into another document"
            raise _RefusedError(fault("YML004", f"alias *{event.anchor} has no anchor", remedy, self.span(event)))
        value, marks = self.anchors[event.anchor]
        size, levels = _size_and_depth(value, MAX_ALIASED - self.aliased)
        self.aliased += size
        if self.aliased > MAX_ALIASED:
            message = f"aliases expand to over {MAX_ALIASED} values"
            raise _RefusedError(fault("YML004", message, "write the values out", self.span(event)))
        self.limit(depth + levels, event)
        return value, marks

    def limit(self, depth: int, event: Any) -> None:
        """Raises _RefusedError if a value is nested too deeply."""
        if depth > MAX_DEPTH:
            message = f"nested deeper than {MAX_DEPTH} levels"
            raise _RefusedError(fault("YML005", message, "flatten it", self.span(event)))

    def tagged(self, event: Any) -> Scalar:
        """A scalar with an explicit tag. Core tags are applied; any other is a fault."""
        name = TAGS.get(event.tag, "str" if event.tag == "!" else "")
        value = resolve(event.value) if type(event) is ScalarEvent else None
        types = {"int": (int,), "float": (int, float), "bool": (bool,), "null": (type(None),)}.get(name, ())
        if name == "str" or (self.as_json and event.tag in BINARY) or (event.tag == MERGE and value == "<<"):
            return str(event.value)
        if type(value) not in types:
            self.add("YML006", f"tag {event.tag} is not supported here", "remove the tag", event)
        return value

    def text_key(self, event: Any, key: object) -> str | None:
        """The text for a key that is not text, or None if it is rejected."""
        become, problem = text_key(key, getattr(event, "value", None), self.span(event), as_json=self.as_json)
        if problem:
            self.faults.append(problem)
        return become

    def twice(self, key: str, first: int, event: Any) -> bool:
        """Reports a duplicate key. Returns whether another document begins here: its other keys need no fault."""
        begins = key == "apiVersion"
        remedy = "add --- above it to start a document, or keep one of them" if begins else "keep one of them"
        self.add("YML002", f"duplicate key '{key}' (first on line {first})", remedy, event)
        return begins

    def add(self, code: str, message: str, remedy: str, event: Any) -> None:
        """Adds a fault at an event. Raises _RefusedError if there are too many, so that the rest is not read."""
        self.faults.append(fault(code, message, remedy, self.span(event)))
        if len(self.faults) > MAX_FAULTS:
            raise _RefusedError(too_many(self.faults.pop().span))

    def span(self, event: Any) -> Span:
        """Where an event begins."""
        return Span(self.file, event.start_mark.line + 1, event.start_mark.column + 1)


def _size_and_depth(value: Any, maximum: int) -> tuple[int, int]:
    """The number of values in a value (itself included) and of levels. Counting stops after `maximum`."""
    size, levels, level = 1, 0, [value]
    while size <= maximum:
        level = list(chain.from_iterable(map(_items, level)))
        if not level:
            break
        size, levels = size + len(level), levels + 1
    return size, levels


def _merge(data: dict[str, Any], marks: dict[str, Any], value: Any, child: Any) -> bool:
    """Applies YAML's merge key. Written keys have precedence over merged ones, and earlier merges over later ones.

    `value` is a mapping or a list of mappings, and `child` its marks: by key for a mapping, and for a list as
    (key mark, value mark, marks of the entry). False if something to merge is not a mapping.
    """
    pairs = [(value, child)]
    if isinstance(value, list):
        pairs = list(zip(value, [marks_of_entry for _, _, marks_of_entry in child], strict=True))
    for source, places in pairs:
        for key, item in source.items() if isinstance(source, dict) else ():
            if key not in data:
                data[key] = item
                marks[key] = places[key]
    return all(isinstance(source, dict) for source, _ in pairs)


def _items(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
