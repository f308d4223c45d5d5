"""Lists and mappings in brackets, as far as every token is plain: no escape, no anchor, no empty value."""

import re
from collections.abc import Sequence
from typing import Any

from gitgpu.load.parse.plain_texts import NotPlainError
from gitgpu.load.parse.scalars import resolve

_DEEPEST = 20  # levels: what is nested deeper is left to PyYAML
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
_WORDS = re.compile(rf"\[{_WORD}(?:,{_WORD})*\]")  # most lists: read in half of the time
_LONGEST_KEY = 200  # characters; libyaml takes none of over 1,024
_ENDS = {"[": "]", "{": "}"}
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


class FlowError(Exception):
    """The text is not as plain as that."""


def flow_value(text: str) -> Any:
    """The value of a text that begins with a bracket. Raises FlowError where PyYAML has to read it."""
    if _WORDS.fullmatch(text):
        return [resolve(word.strip(" ")) for word in text[1:-1].split(",")]
    value, end = _collection(text, 0, 0)
    if end != len(text):
        raise FlowError
    return value


def wrapped(lines: Sequence[str], first: int, column: int, begun: str) -> tuple[Any, int]:
    """The value that began as `begun` before the first of these lines, and the index of the line after it.

    `column` is that of the collection that the value is in. Raises NotPlainError where PyYAML has to read it.
    """
    parts, depth = [begun], _depth(begun)
    for at in range(first, len(lines)):
        shown = lines[at].strip(" ")
        # A line break inside a scalar can mean more than a blank.
        is_between = parts[-1][-1] in ",[{" or shown[:1] in ("]", "}")
        if not shown or not is_between or len(lines[at]) - len(lines[at].lstrip(" ")) <= column:
            break
        parts.append(shown)
        depth += _depth(shown)
        if depth == 0:
            return _value(" ".join(parts)), at + 1
    raise NotPlainError


def _value(text: str) -> Any:
    try:
        return flow_value(text)
    except FlowError:
        raise NotPlainError from None


def _depth(text: str) -> int:
    """How many brackets a text opens without closing them."""
    rest = _QUOTED.sub("", text)
    return sum(map(rest.count, "[{")) - sum(map(rest.count, "]}"))


def _collection(text: str, start: int, depth: int) -> tuple[Any, int]:
    """The list or mapping that begins at an index, and the index after it. Raises FlowError."""
    close = _ENDS.get(text[start])
    if close is None or depth > _DEEPEST:
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
            raise FlowError  # a duplicate is a fault with a place
        else:
            collection[key] = value
        token = _token(text, end)
        if token["sign"] == close:
            return collection, token.end()
        if token["sign"] != ",":
            raise FlowError
        token = _token(text, token.end())


def _token(text: str, at: int) -> re.Match[str]:
    """The sign or scalar at an index. Raises FlowError where none of those that are read here begins."""
    token = _TOKEN.match(text, at)
    if token is None:
        raise FlowError
    return token


def _key(token: re.Match[str]) -> str:
    """The text of a key. Raises FlowError for a token that is not a key, or a key that is not text."""
    if not token["key"]:
        raise FlowError
    text = token["plain"]
    key = resolve(text) if text else _unquoted(token["quoted"])
    if not isinstance(key, str) or len(key) > _LONGEST_KEY:
        raise FlowError
    return key


def _scalar(token: re.Match[str]) -> Any:
    """The value of a scalar. Raises FlowError."""
    if token["key"]:
        raise FlowError  # a pair in a list, or a key where a value has to be
    return resolve(token["plain"]) if token["plain"] else _unquoted(token["quoted"])


def _unquoted(text: str) -> str:
    return text[1:-1] if text[0] == '"' else text[1:-1].replace("''", "'")
