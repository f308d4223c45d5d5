"""JSON texts to the same data as a YAML parser returns, with the C code of Python's json."""

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.load.parse.scalars import resolve

_MAX_DEPTH = 50  # levels: PyYAML reads deeper texts; `events` rejects more than 100
_MAX_KEY_LENGTH = 100  # characters; libyaml rejects keys of over 1,024, counted with their escapes
_SPACE = re.compile(r"[ \t\r\n]*")
# Escapes that JSON and YAML read differently, and blanks between a key and its colon.
_DIFFERENT = re.compile(r'\\/|\\u(?!00[2-7])|"[ \n]+:')


def json_value(content: str) -> Any:
    """The list or mapping of a JSON text; None if it is not JSON, or YAML would read it differently.

    The text must have no tabs and no characters that YAML rejects. Numbers are resolved as in YAML.
    """
    if _DIFFERENT.search(content):
        return None
    try:
        value = json.loads(
            content, object_pairs_hook=_mapping, parse_int=resolve, parse_float=resolve, parse_constant=_refuse
        )
    except (ValueError, RecursionError):
        return None
    return None if _is_deep(value) else value


class JsonPart(NamedTuple):
    """One of several JSON values of a text: where it begins, as index, line and column from 0, and its text."""

    start: int
    line: int
    column: int
    content: str


def json_parts(content: str) -> Iterator[JsonPart]:
    """The mappings of a text with several JSON values. Raises ValueError for another text, and RecursionError."""
    decoder, line, at, start = json.JSONDecoder(), 0, 0, _SPACE.match(content).end()  # type: ignore[union-attr]
    while start < len(content):
        if content[start] != "{":
            raise ValueError
        _, end = decoder.raw_decode(content, start)
        line += content.count("\n", at, start)
        yield JsonPart(start, line, start - content.rfind("\n", 0, start) - 1, content[start:end])
        at, start = start, _SPACE.match(content, end).end()  # type: ignore[union-attr]


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping. Raises ValueError for a very long key, and for a duplicate key: only PyYAML can report its place."""
    mapping = dict(pairs)
    if len(mapping) != len(pairs) or max(map(len, mapping), default=0) > _MAX_KEY_LENGTH:
        raise ValueError
    return mapping


def _refuse(text: str) -> None:
    """Rejects NaN and infinities, which are not JSON."""
    raise ValueError(text)


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_MAX_DEPTH):
        values = chain.from_iterable(map(_inner, level))
        level = [value for value in values if isinstance(value, dict | list)]
        if not level:
            return False
    return True


def _inner(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value
