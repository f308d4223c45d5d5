"""The documents in a text: YAML, JSON, or the outputs of several commands one after the other.

JSON is read by a JSON parser, because it allows more escapes and longer keys than YAML. The places are from the YAML
parser, which also reads JSON.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, Places, fault
from gitgpu.inventory.unreadable import COMMENT, COMMENTS, WITHOUT_COMMENTS, why_unreadable
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.objects.manifest.templates import action
from gitgpu.source import SourceMap, Span

COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # what `az -o jsonc` and `yamlc` print
_BLANK = re.compile(r"\s*")
_TOO_DEEP = "YML005"
_RENDER = "render it with its tool, such as `helm template CHART`, and pass the result"


class Document(NamedTuple):
    """One document as plain data, and the places of its values."""

    data: Any
    places: Places


class _Shifted(NamedTuple):
    """The places of a document that begins at a later line of its text."""

    places: Places
    lines: int

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value, in the whole text."""
        span = self.places.span(pointer, key=key)
        return span._replace(line=span.line + self.lines)


def documents(text: Text) -> tuple[list[Document], list[Diagnostic]]:
    """The documents in a text that are not empty, and its faults. Documents before a fault are kept."""
    plain = text._replace(content=COLOUR.sub("", text.content))
    if not plain.content.strip():
        remedy = "run the command again, and check that it prints something"
        return [], [fault("IMP001", "the input is empty", remedy, Span(text.name, 1, 1))]
    start = plain.content.lstrip()[:2]
    if start[0] in "{[" and start != "{{":
        return _json_documents(plain)
    # A template can have a line that looks like the start of JSON.
    if start != "{{" and (reason := why_unreadable(plain)):
        return [], [reason]
    return _yaml_documents(plain)


def _yaml_documents(text: Text) -> tuple[list[Document], list[Diagnostic]]:
    parsed, faults = parse(text, as_json=True)
    template = action(text.name, text.content, faults)
    if template:
        return [], [fault("IMP003", "a template, not data", _RENDER, template)]
    return [Document(document.data, document.places) for document in parsed if document.data is not None], faults


def _json_documents(text: Text) -> tuple[list[Document], list[Diagnostic]]:
    """The values in a text that begins like JSON. If it is not JSON, it is read as YAML."""
    placed: list[Document] = []
    try:
        for data, start, end in json_values(text.content):
            document, deep = _placed(text, data, start, end)
            if deep:
                return placed, [deep]
            placed.append(document)
    except (ValueError, RecursionError) as error:
        if not placed:
            read, faults = _yaml_documents(text)
            if not faults or faults[0].code == "IMP003":
                return read, faults
        return placed, [broken_json(text, error)]
    return placed, []


def json_values(content: str) -> Iterator[tuple[Any, int, int]]:
    """Each JSON value in a text, with its start and end. Raises ValueError and RecursionError."""
    decoder, position = json.JSONDecoder(), _after_blanks(content, 0)
    while position < len(content):
        data, end = decoder.raw_decode(content, position)
        yield data, position, end
        position = _after_blanks(content, end)


def _after_blanks(content: str, position: int) -> int:
    match = _BLANK.match(content, position)
    return match.end() if match else position


def _placed(text: Text, data: Any, start: int, end: int) -> tuple[Document, Diagnostic | None]:
    """A value with its places, and a fault if it is nested too deeply."""
    before = text.content.count("\n", 0, start)
    parsed, faults = parse(text._replace(content=text.content[start:end]), as_json=True)
    deep = next((problem for problem in faults if problem.code == _TOO_DEEP), None)
    if deep:
        place = deep.span._replace(line=deep.span.line + before)
        return Document(None, SourceMap.of(deep.span)), deep._replace(span=place)
    if faults or len(parsed) != 1:  # valid JSON, but not valid YAML: only the start of the value is known
        return Document(data, SourceMap.of(Span(text.name, before + 1, 1))), None
    return Document(data, _Shifted(parsed[0].places, before)), None


def broken_json(text: Text, error: Exception) -> Diagnostic:
    """The fault that a text, or a part of it, is not JSON."""
    if not isinstance(error, json.JSONDecodeError):  # a number with thousands of digits, or very many brackets
        why = "nested too deeply" if isinstance(error, RecursionError) else "a number has too many digits"
        return fault("IMP002", f"not JSON: {why}", "pass the unchanged output of the command", Span(text.name, 1, 1))
    span = Span(text.name, error.lineno, error.colno)
    if text.content.startswith(COMMENT, error.pos):
        return fault("IMP003", COMMENTS, WITHOUT_COMMENTS, span)
    truncated = error.pos >= len(text.content.rstrip()) or error.msg.startswith("Unterminated string")
    if truncated:
        remedy = "run the command again, and pass its complete output"
        return fault("IMP002", "truncated JSON: the text ends inside a value", remedy, span)
    remedy = "pass only the unchanged output of this command"
    return fault("IMP002", f"not JSON: {error.msg[0].lower()}{error.msg[1:]}", remedy, span)
