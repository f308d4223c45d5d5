"""A line of plain YAML: its parts and their columns, without a complete YAML parser.

Manifests repeat their lines, so each different line is read once. The result depends only on the line. For any other
line (anchors, tags, escapes, text that continues on the next line) it is None: PyYAML has to read the whole text.
"""

import re
from enum import StrEnum, auto
from functools import lru_cache
from typing import Any, NamedTuple

from gitgpu.load.parse.flow_values import FlowError, flow_value
from gitgpu.load.parse.plain_texts import NotPlainError
from gitgpu.load.parse.scalars import Scalar, resolve

MAX_CACHED = 16_384  # cached lines: enough for some hundred different manifests
_SHORT = "{0,200}+"  # characters of a key; libyaml rejects keys of over 1,024
_KEY = rf"[A-Za-z0-9_/$][A-Za-z0-9_./$+~-]{_SHORT}|\.[A-Za-z][A-Za-z0-9_./-]{_SHORT}"
_QUOTED_KEY = rf"\"[^\"\\]{_SHORT}\"|'[^']{_SHORT}'"
_FIRST = r"[^ \-?:,\[\]{}\#&*!|>'\"%@`]|-(?=[^ ])"  # of a plain scalar; no other token begins with these
_LINE = re.compile(
    rf"""
    (?P<indent>\ *)
    (?P<dashes>(?:-(?:\ +|$))*)
    (?:(?P<key>{_KEY}|{_QUOTED_KEY}):(?:\ +|$))?
    (?:
        (?P<plain>(?:{_FIRST})[^:\#]*+(?:(?::(?=[^ ])|(?<=[^ ])\#)[^:\#]*+)*+)
      | (?P<quoted>\"[^\"\\]*\"|'(?:[^']|'')*')
      | (?P<flow>[\[{{].*[\]}}])
      | (?P<text>[|>]-?|\"[^\"\\]*|'(?:[^']|'')*|[\[{{](?:.*[,\[{{])?)
    )?
    \ *(?:(?<=\ )\#.*)?
    """,
    re.VERBOSE,
)


class Kind(StrEnum):
    """The value on a line: none (OPEN), a scalar, a list or mapping in brackets (FLOW), or the sign of a block scalar.

    BEGUN is a quoted scalar, or a list or mapping in brackets, that is not closed on the line.
    """

    OPEN = auto()
    SCALAR = auto()
    FLOW = auto()
    BLOCK = auto()
    BEGUN = auto()
    BLANK = auto()
    SEPARATOR = auto()


class Line(NamedTuple):
    """A line: the columns of its dashes, the column of what follows them, a key or None, a value and its kind.

    A value of kind FLOW is a list or a mapping. Copy it before use, because lines are cached.
    """

    dashes: tuple[int, ...]
    column: int
    key: str | None
    value: Any
    kind: Kind


_BLANK = Line((), 0, None, None, Kind.BLANK)
_SEPARATOR = Line((), 0, None, None, Kind.SEPARATOR)


@lru_cache(maxsize=MAX_CACHED)
def line_of(text: str) -> Line | None:
    """The parts of a line, or None if it is not plain or needs other lines."""
    shown = text.lstrip(" ")
    if not shown or shown[0] == "#":
        return _BLANK
    if text[:3] in ("---", "..."):
        return _SEPARATOR if text.rstrip(" ") == "---" else None
    match = _LINE.fullmatch(text) if shown[0] == "-" or ":" in shown else None
    if match is None:
        return None
    indent, signs, key, *values = match.groups()
    name = _key(key)
    if type(name) is not str if key is not None else not signs:
        return None  # a key that is not text, or a value without a key
    try:
        value, kind = _value(*values)
    except FlowError:
        return None
    # Most lines have no dashes.
    dashes = tuple(len(indent) + index for index, sign in enumerate(signs) if sign == "-") if signs else ()
    return Line(dashes, len(indent) + len(signs), name, value, kind)  # type: ignore[arg-type]


def _key(text: str | None) -> Scalar:
    if text is None:
        return None
    return text[1:-1] if text[0] in "\"'" else resolve(text)


def _value(plain: str | None, quoted: str | None, flow: str | None, text: str | None) -> tuple[Any, Kind]:
    """The value of a line. `text` is a value that continues in the next lines. Raises FlowError."""
    if plain:
        return resolve(plain.rstrip(" ")), Kind.SCALAR
    if quoted:
        return (quoted[1:-1] if quoted[0] == '"' else quoted[1:-1].replace("''", "'")), Kind.SCALAR
    if flow:
        return flow_value(flow), Kind.FLOW
    if text:
        return text, Kind.BLOCK if text[0] in "|>" else Kind.BEGUN
    return None, Kind.OPEN


def value_column(text: str) -> int:
    """The column of the value on a line that has one."""
    match = _LINE.fullmatch(text)
    return max(map(match.start, ("plain", "quoted", "flow", "text"))) if match else -1


def unfinished_scalar(text: str) -> str:
    """The plain scalar at the end of a line, which may continue in the next line. Raises NotPlainError without one."""
    match = _LINE.fullmatch(text)
    # Without a plain scalar, its end is -1.
    if not match or not (match["key"] or match["dashes"]) or match.end("plain") < len(text):
        raise NotPlainError
    return match["plain"].rstrip(" ")
