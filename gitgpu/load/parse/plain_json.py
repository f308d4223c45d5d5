"""JSON texts to the data that a YAML reader makes of them, by Python's C code."""

import json
import re
from itertools import chain
from typing import Any

from gitgpu.load.parse.scalars import resolve

_DEEPEST = 50  # levels: deeper texts are left to PyYAML, which refuses more than 100
_LONGEST_KEY = 100  # characters; libyaml takes no key of over 1,024, as it is written, with escapes
# Escapes that the two read differently, and blanks before a colon, which may part a key from its value.
_DIFFERENT = re.compile(r'\\/|\\u(?!00[2-7])|"[ \n]+:')


def json_value(content: str) -> Any:
    """The list or mapping of a JSON text; None if it is not JSON, or YAML would read it differently.

    The text has no tab and no character that YAML refuses. Numbers are resolved as those of YAML are.
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


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping. Raises ValueError for a duplicate key, which is a fault with a place, and for a very long one."""
    mapping = dict(pairs)
    if len(mapping) != len(pairs) or max(map(len, mapping), default=0) > _LONGEST_KEY:
        raise ValueError
    return mapping


def _refuse(text: str) -> None:
    """NaN and infinities, which are not JSON."""
    raise ValueError(text)


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        values = chain.from_iterable(map(_inner, level))
        level = [value for value in values if isinstance(value, dict | list)]
        if not level:
            return False
    return True


def _inner(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value
