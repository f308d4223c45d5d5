"""The items of a JSON text, one by one, with their places. Such a text can have 60,000 items and 150 MB.

A list may be the whole text, or a member of an object (a page of a REST API). There may also be a list of pages, or
pages one after the other, as `curl` appends them.
"""

import re
from collections.abc import Collection, Generator, Iterator, Mapping
from json import JSONDecoder
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.inventory.documents import COLOUR, broken_json
from gitgpu.inventory.unreadable import why_unreadable
from gitgpu.load.text import Text
from gitgpu.source import Span

# What is between two items of a list, or between two members.
_BLANK = re.compile(r"[\s,]*")
_COLON = re.compile(r"\s*:\s*")
_DECODER = JSONDecoder()
_BEGINNING = 1000  # characters that contain the first colour, if there are any


class Item(NamedTuple):
    """A value of a list, and where it begins in its text."""

    data: Any
    text: Text
    at: int

    def span(self, key: str = "") -> Span:
        """The place of the item, or of a key in it."""
        position = self.text.content.find(f'"{key}"', self.at) if key else self.at
        return place_at(self.text, self.at if position < 0 else position)


def place_at(text: Text, position: int) -> Span:
    """The place of a character in a text."""
    start = text.content.rfind("\n", 0, position)
    return Span(text.name, text.content.count("\n", 0, position) + 1, position - start)


def items(text: Text, lists: Collection[str]) -> Iterator[Item | Diagnostic]:
    """The items of a text. Objects have them in one of `lists`; an object without such a list is an item itself.

    A fault comes last if the text is not JSON.
    """
    if "\x1b" in text.content[:_BEGINNING]:
        text = text._replace(content=COLOUR.sub("", text.content))
    if not text.content.lstrip().startswith(("{", "[")):
        yield _no_json(text)
        return
    try:
        position = _skip(text.content, 0, _BLANK)
        while position < len(text.content):
            position = yield from _value(text, position, lists)
            position = _skip(text.content, position, _BLANK)
    except (ValueError, RecursionError) as error:  # not JSON, or nested too deeply
        yield broken_json(text, error)


def _no_json(text: Text) -> Diagnostic:
    if not text.content.strip():
        remedy = "run the command again, and check that it prints something"
        return fault("IMP001", "the input is empty", remedy, Span(text.name, 1, 1))
    remedy = "run the command with `-o json`, and pass its output"
    return why_unreadable(text) or fault("IMP002", "not JSON", remedy, Span(text.name, 1, 1))


def _value(text: Text, position: int, lists: Collection[str]) -> Generator[Item, None, int]:
    """Yields the items of the value at a place, and returns where the value ends."""
    content = text.content
    if content[position] == "[":
        return (yield from _list(text, position, lists))
    if content[position] != "{":
        data, end = _DECODER.raw_decode(content, position)
        yield Item(data, text, position)
        return end
    # Whether it is an item or a page is known only at its end, so an item is read twice.
    start, has_list = position, False
    position = _skip(content, position + 1, _BLANK)
    while content[position : position + 1] != "}":
        key, position = _DECODER.raw_decode(content, position)
        position = _skip(content, position, _COLON)
        if key in lists and content[position : position + 1] == "[":
            has_list = True
            position = yield from _list(text, position, ())  # items may have such a key too, for another list
        else:
            _, position = _DECODER.raw_decode(content, position)
        position = _skip(content, position, _BLANK)
    if not has_list:
        yield Item(_DECODER.raw_decode(content, start)[0], text, start)
    return position + 1


def _list(text: Text, position: int, lists: Collection[str]) -> Generator[Item, None, int]:
    position = _skip(text.content, position + 1, _BLANK)
    while text.content[position : position + 1] != "]":
        data, end = _DECODER.raw_decode(text.content, position)
        if isinstance(data, Mapping) and any(isinstance(data.get(key), list) for key in lists):
            yield from _value(text, position, lists)
        else:
            yield Item(data, text, position)
        position = _skip(text.content, end, _BLANK)
    return position + 1


def _skip(content: str, position: int, pattern: re.Pattern[str]) -> int:
    match = pattern.match(content, position)
    return match.end() if match else position
