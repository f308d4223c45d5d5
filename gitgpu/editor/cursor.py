"""Where a user types: the path of the key or value at an index, in a document that is only half written.

A word is put in place of the one at the index, and the document is parsed as if it were complete: as it is, with the
word as a key, or only up to the word, with its brackets closed.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.editor.yaml_tree import Node, parse, part_at
from gitgpu.source import Pointer

_WORD = "gitgpu-word-at-the-cursor"
_BEFORE, _AFTER = re.compile(r"[\w./+-]*\Z"), re.compile(r"[\w./+-]*")
_KIND = re.compile(r"^kind:[ \t]*([A-Za-z]+)[ \t\r]*$", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*-[ \t]+\Z")
_CLOSING = {"{": "}", "[": "]"}
_QUOTED = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\n]|'')*'|(?:^|(?<=\s))#[^\n]*", re.MULTILINE)


class Cursor(NamedTuple):
    """The word from `start` to `end`, a key of the mapping at `path`, or the value at `path`.

    `siblings` are the other keys of the mapping, or the other scalars of the list. `kind` is that of the document, and
    `root` its root. A value that is a `whole_item` of a list may also become a mapping.
    """

    kind: str
    path: Pointer
    at_key: bool
    start: int
    end: int
    siblings: frozenset[str]
    root: Node
    word: str = ""
    in_brackets: bool = False
    whole_item: bool = False


def cursor_at(content: str, index: int) -> Cursor | None:
    """The cursor at an index; None if the document cannot be understood."""
    part = part_at(content, index)
    start = index - len(_match(_BEFORE, part.content[: index - part.start]))
    end = index + len(_match(_AFTER, part.content[index - part.start :]))
    before, after = part.content[: start - part.start], part.content[end - part.start :]
    for text in _completed(before, after):
        root = parse(text)
        found = _found(root, ()) if root else None
        if root and found:
            path, at_key, siblings = found
            kind = root.text_at("kind") or _match(_KIND, part.content, 1)
            cursor = Cursor(kind, path, at_key, start, end, siblings, root, content[start:index])
            return cursor._replace(in_brackets=bool(_open(before)), whole_item=bool(_ITEM.search(_line(before))))
    return None


def _match(pattern: re.Pattern[str], text: str, group: int = 0) -> str:
    found = pattern.search(text) if pattern is not _AFTER else pattern.match(text)
    return found[group] if found else ""


def _completed(before: str, after: str) -> Iterator[str]:
    """The document with the word at the cursor, completed in several ways, the likeliest first."""
    key_text = f"{_WORD}: null"
    alone = not _line(before).strip() and not re.match(r"[ \t]*[^\s#]", after)
    if alone:  # a word on a line of its own is a new key; read as a value, it would continue the line above
        yield before + key_text + after
    yield before + _WORD + after
    closing = _open(before)
    quote = '"' if _is_quoted(before) else ""
    if alone:
        yield before + key_text
    yield before + _WORD + quote + closing
    if not alone:
        yield f"{before}{key_text}{quote}{closing}"
    kept = "\n".join(_lines_above(before))
    yield f"{kept}{key_text if alone else _WORD}{quote}{closing}"


def _line(before: str) -> str:
    return before[before.rfind("\n") + 1 :]


def _is_quoted(before: str) -> bool:
    return _QUOTED.sub("", _line(before)).count('"') % 2 == 1


def _open(before: str) -> str:
    """The brackets that close those that are open, innermost first."""
    stack: list[str] = []
    for letter in _QUOTED.sub("", before):
        if letter in _CLOSING:
            stack.append(_CLOSING[letter])
        elif stack and letter == stack[-1]:
            stack.pop()
    return "".join(reversed(stack))


def _lines_above(before: str) -> list[str]:
    """The line of the cursor, and of the lines above it only those with the keys that it is below, by indentation."""
    *lines, current = before.split("\n")
    kept = [current]
    indent = _indent(current)
    for line in reversed(lines):
        if line.strip() and not line.lstrip().startswith("#") and _indent(line) < indent:
            kept.append(line)
            indent = _indent(line)
    return kept[::-1]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _found(node: Node, path: Pointer) -> tuple[Pointer, bool, frozenset[str]] | None:
    """The path of the word below a node, whether it is a key, and its siblings."""
    if node.text == _WORD:
        return path, not path, frozenset()
    others = frozenset((key or value).text or "" for key, value in node.entries) - {_WORD, ""}
    for number, (key, value) in enumerate(node.entries):
        if key and key.text == _WORD:
            return path, True, others
        if found := _found(value, (*path, key.text or "" if key else number)):
            below, at_key, siblings = found
            return below, at_key, siblings or (frozenset() if key or at_key else others)
    return None
