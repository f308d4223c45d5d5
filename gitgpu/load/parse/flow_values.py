"""Lists and mappings in brackets in which every token is plain: no escape, no anchor, no empty value."""

import re
from collections.abc import Sequence
from typing import Any

from gitgpu.load.parse.plain_json import json_value
from gitgpu.load.parse.plain_texts import NotPlainError
from gitgpu.load.parse.scalars import resolve

_MAX_DEPTH = 20  # levels: PyYAML reads deeper values
_TOKEN = re.compile(
    r"""
    \ *(?:
        (?P<sign>[\[\]{},])
      | (?:
            (?P<quoted>\"[^\"\\]*\"|'(?:[^']|'')*')
          | (?P<plain>
                (?:[A-Za-z0-9_./$~(+^]|-[A-Za-z0-9_./-])
                (?:[A-Za-z0-9_./$~()<>=+^*;%@&!|-]|[ ]+(?=[^ ,\[\]{}:\#"'?])|:(?=[A-Za-z0-9_./-]))*
            )
        )(?P<key>:(?=\ ))?
    )
    """,
    re.VERBOSE,
)
_WORD = r"\ *[A-Za-z0-9_./][A-Za-z0-9_./-]*+\ *"
_WORDS = re.compile(rf"\[{_WORD}(?:,{_WORD})*\]")  # most lists, in half of the time
_MAX_KEY_LENGTH = 200  # characters; libyaml rejects keys of over 1,024
_ENDS = {"[": "]", "{": "}"}
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


class FlowError(Exception):
    """The text is not plain enough."""


def flow_value(text: str) -> Any:
    """The value of a text that begins with a bracket. Raises FlowError if PyYAML has to read it."""
    if _WORDS.fullmatch(text):
        return [resolve(word.strip(" ")) for word in text[1:-1].split(",")]
    if text[1:2] == '"' and (read := json_value(text)) is not None:  # JSON takes a fifth of the time
        return read
    value, end = _collection(text, 0, 0)
    if end != len(text):
        raise FlowError
    return value


def read_flow(lines: Sequence[str], first: int, column: int, begun: str) -> tuple[Any, int]:
    """The value that starts with `begun` before the line `first`, and the index of the line after the value.

    `column` is the column of the collection that contains the value. Raises NotPlainError if PyYAML has to read it.
    """
    parts, depth = [begun], _depth(begun)
    for index in range(first, len(lines)):
        shown = lines[index].strip(" ")
        # A line break inside a scalar is not always the same as a blank.
        is_between = parts[-1][-1] in ",[{" or shown[:1] in ("]", "}")
        if not shown or not is_between or len(lines[index]) - len(lines[index].lstrip(" ")) <= column:
            break
        parts.append(shown)
        depth += _depth(shown)
        if depth == 0:
            return _value(" ".join(parts)), index + 1
    raise NotPlainError


def _value(text: str) -> Any:
    try:
        return flow_value(text)
    except FlowError:
        raise NotPlainError from None


def _depth(text: str) -> int:
    """The number of brackets that a text opens and does not close."""
    rest = _QUOTED.sub("", text)
    return sum(map(rest.count, "[{")) - sum(map(rest.count, "]}"))


def _collection(text: str, start: int, depth: int) -> tuple[Any, int]:
    """The list or mapping that begins at an index, and the index after it. Raises FlowError."""
    close = _ENDS.get(text[start])
    if close is None or depth > _MAX_DEPTH:
        raise FlowError
    collection: Any = [] if close == "]" else {}
    token = _token(text, start + 1)
    if token["sign"] == close:
        return collection, token.end()
    while True:
        key = ""
        if close == "}":
            key, token = _key(token), _token(text, token.end())
        if token["sign"]:
            value, end = _collection(text, token.start("sign"), depth + 1)
        else:
            value, end = _scalar(token), token.end()
        if close == "]":
            collection.append(value)
        elif key in collection:
            raise FlowError  # PyYAML reports a duplicate with its place
        else:
            collection[key] = value
        token = _token(text, end)
        if token["sign"] == close:
            return collection, token.end()
        if token["sign"] != ",":
            raise FlowError
        token = _token(text, token.end())


def _token(text: str, at: int) -> re.Match[str]:
    """The sign or scalar at an index. Raises FlowError if there is none that this module reads."""
    token = _TOKEN.match(text, at)
    if token is None:
        raise FlowError
    return token


def _key(token: re.Match[str]) -> str:
    """The text of a key. Raises FlowError if the token is not a key, or if the key is not text."""
    if not token["key"]:
        raise FlowError
    text = token["plain"]
    key = resolve(text) if text else _unquoted(token["quoted"])
    if not isinstance(key, str) or len(key) > _MAX_KEY_LENGTH:
        raise FlowError
    return key


def _scalar(token: re.Match[str]) -> Any:
    """The value of a scalar. Raises FlowError."""
    if token["key"]:
        raise FlowError  # a pair in a list, or a key instead of a value
    return resolve(token["plain"]) if token["plain"] else _unquoted(token["quoted"])


def _unquoted(text: str) -> str:
    return text[1:-1] if text[0] == '"' else text[1:-1].replace("''", "'")
