"""Values in Bicep, Azure's language for resources."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

# What Bicep accepts as a key without quotes.
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)
# The backslash comes first, because the other escapes add backslashes.
_ESCAPES = (("\\", "\\\\"), ("'", "\\'"), ("${", "\\${"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"))


class Code(NamedTuple):
    """Bicep code that is written as it is: the name of a parameter, or an expression."""

    text: str


def bicep(value: Any, depth: int = 0) -> str:
    """The Bicep code for a value of strings, numbers, booleans, lists and mappings."""
    if isinstance(value, Code):
        return value.text
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return _block("{}", (f"{_key(key)}: {bicep(below, depth + 1)}" for key, below in value.items()), depth)
    if isinstance(value, Sequence):
        return _block("[]", (bicep(below, depth + 1) for below in value), depth)
    if isinstance(value, float):  # Bicep has only whole numbers
        return f"json({_text(str(value))})"
    return str(value).lower()


def _block(brackets: str, lines: Iterator[str], depth: int) -> str:
    inside = "".join(f"{'  ' * (depth + 1)}{line}\n" for line in lines)
    return f"{brackets[0]}\n{inside}{'  ' * depth}{brackets[1]}" if inside else brackets


def _key(key: str) -> str:
    return key if _NAME.match(key) else _text(key)


def _text(value: str) -> str:
    for sign, escaped in _ESCAPES:
        value = value.replace(sign, escaped)
    return f"'{value}'"
