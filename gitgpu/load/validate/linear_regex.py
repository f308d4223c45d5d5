"""RE2 for patterns on which Python's `re` may take exponential time, where the extra gitgpu[re2] is installed.

The API server runs patterns in linear time, as RE2 does. Without RE2 here, `longest` bounds what `re` is given.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any, Protocol

PACKAGE = "re2"
_PIECE = re.compile(
    r"\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\(\?P?[<!=:a-zA-Z-]*|(?P<loop>\{(\d+)(,(\d*))?\}|[*+?])|.", re.DOTALL
)
_STEPS = 10**7  # about half a second of Python's engine
_NESTED = 12  # characters: three choices at each are 3**12 steps
_ANY = 10**9  # rounds of a loop without a bound
_MANY = 12  # rounds that a loop has to make before the choices in it are too many for any text


class Searcher(Protocol):
    """A compiled pattern."""

    def search(self, text: str, /) -> Any:
        """The first match; None where there is none."""
        ...

    def finditer(self, text: str, /) -> Iterator[Any]:
        """Every match."""
        ...


@cache
def has_re2() -> bool:
    """Is RE2 installed?"""
    return find_spec(PACKAGE) is not None


def linear(pattern: str) -> Searcher:
    """The pattern compiled by RE2. Raises ValueError with RE2's reason where it does not take the pattern."""
    import re2  # noqa: PLC0415  heavy, and an extra

    asked = re2.Options()
    asked.log_errors = False
    try:
        found: Searcher = re2.compile(pattern, options=asked)
    except re2.error as error:
        reason: Any = error.args[0] if error.args else str(error)
        raise ValueError(reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)) from None
    return found


def refusal(pattern: str) -> str:
    """Why RE2's syntax does not have the pattern; "" where it does, or where that cannot be said."""
    try:
        if has_re2():
            linear(pattern)
    except ValueError as error:
        return "" if "too large" in str(error) else str(error)  # Go, which the API server is written in, has more room
    return ""


@cache
def longest(pattern: str) -> int | None:
    """The longest text that Python's `re` searches for a pattern in about half a second; None for any text.

    The estimate is high: it takes every choice for one that has to be made again at every character.
    """
    loops, choices, nested, rounds = 0, 1, False, 0
    inside = [_Group()]
    closed: _Group | None = None
    for found in _PIECE.finditer(pattern):
        piece = found[0]
        if found["loop"]:
            low, high = _rounds(found)
            rounds = max(rounds, low)
            nested = nested or bool(closed and closed.chooses and high > 1)
            loops, choices = loops + (high == _ANY), choices * (1 if high == _ANY else high - low + 1)
            inside[-1].chooses |= low != high
        elif piece[0] == "|":
            inside[-1].branches += 1
            inside[-1].chooses = True
        closed = None
        if piece[0] == "(":
            inside.append(_Group())
        elif piece == ")" and len(inside) > 1:
            closed = inside.pop()
            inside[-1].chooses |= closed.chooses
            choices *= closed.branches
    if nested:
        return 0 if rounds > _MANY else _NESTED
    return _room(loops, choices * inside[0].branches)


class _Group:
    """A group of a pattern while it is read: how many alternatives, and does it leave anything open?"""

    def __init__(self) -> None:
        self.branches, self.chooses = 1, False


def _room(loops: int, choices: int) -> int | None:
    return None if loops == 0 and choices < _STEPS else int((_STEPS / min(choices, _STEPS)) ** (1 / (loops + 1)))


def _rounds(found: re.Match[str]) -> tuple[int, int]:
    """The fewest and the most rounds of a loop."""
    if found[2] is None:
        return {"*": (0, _ANY), "+": (1, _ANY), "?": (0, 1)}[found[0]]
    low = int(found[2])
    return low, low if found[3] is None else int(found[4] or _ANY)
