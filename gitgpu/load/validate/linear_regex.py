"""RE2 for patterns on which Python's `re` may take exponential time, where the extra gitgpu[re2] is installed.

The API server runs patterns in linear time, as RE2 does. Without RE2 here, `longest` bounds what `re` is given.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any, Protocol

PACKAGE = "re2"
# An escape, a class, the start of a group, a repetition, or one character.
_PIECE = re.compile(
    r"\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\(\?P?[<!=:a-zA-Z-]*"
    r"|(?P<loop>\{(?P<low>\d+)(?P<open>,(?P<high>\d*))?\}|[*+?])|.",
    re.DOTALL,
)
_STEPS = 10**7  # about half a second of Python's engine
_NESTED = 12  # characters: three choices at each are 3**12 steps
_ANY = 10**9  # rounds of a loop without a bound
_MANY = 12  # rounds that a loop has to make before the choices in it are too many for any text


class Linear(Protocol):
    """A pattern that RE2 has compiled."""

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


def linear(pattern: str) -> Linear:
    """The pattern compiled by RE2. Raises ValueError with RE2's reason where it does not take the pattern."""
    import re2  # noqa: PLC0415  heavy, and an extra

    options = re2.Options()
    options.log_errors = False
    try:
        searcher: Linear = re2.compile(pattern, options=options)
    except re2.error as error:
        reason: Any = error.args[0] if error.args else str(error)
        raise ValueError(reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)) from None
    return searcher


def refusal(pattern: str) -> str:
    """Why RE2's syntax does not have the pattern; "" where it does, or where RE2 is not installed."""
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
    estimate = _Estimate()
    closed: _Group | None = None  # the group that ends right before a piece
    for match in _PIECE.finditer(pattern):
        piece = match[0]
        if match["loop"]:
            estimate.loop(*_rounds(match), closed)
        elif piece == "|":
            estimate.branch()
        closed = None
        if piece[0] == "(":
            estimate.groups.append(_Group())
        elif piece == ")" and len(estimate.groups) > 1:
            closed = estimate.close()
    if estimate.nested:
        return 0 if estimate.rounds > _MANY else _NESTED
    return _room(estimate.loops, estimate.choices * estimate.groups[0].branches)


class _Group:
    """A group of a pattern while it is read: how many alternatives, and does it leave anything open?"""

    def __init__(self) -> None:
        self.branches, self.chooses = 1, False


class _Estimate:
    """What a pattern leaves open as far as it is read.

    `loops` counts loops without a bound, `choices` multiplies all others; with `nested`, a choice is inside a loop, and
    `rounds` is the most that a loop has to make. `groups` are those that the next piece is in, the whole pattern first.
    """

    def __init__(self) -> None:
        self.loops, self.choices, self.rounds, self.nested = 0, 1, 0, False
        self.groups = [_Group()]

    def loop(self, low: int, high: int, group: _Group | None) -> None:
        """A loop of a group, or of one character."""
        self.rounds = max(self.rounds, low)
        self.nested = self.nested or bool(group and group.chooses and high > 1)
        if high == _ANY:
            self.loops += 1
        else:
            self.choices *= high - low + 1
        self.groups[-1].chooses |= low != high

    def branch(self) -> None:
        """Another alternative of the innermost group."""
        self.groups[-1].branches += 1
        self.groups[-1].chooses = True

    def close(self) -> _Group:
        """The end of the innermost group."""
        group = self.groups.pop()
        self.groups[-1].chooses |= group.chooses
        self.choices *= group.branches
        return group


def _room(loops: int, choices: int) -> int | None:
    return None if loops == 0 and choices < _STEPS else int((_STEPS / min(choices, _STEPS)) ** (1 / (loops + 1)))


def _rounds(match: re.Match[str]) -> tuple[int, int]:
    """The fewest and the most rounds of a loop."""
    if match["low"] is None:
        return {"*": (0, _ANY), "+": (1, _ANY), "?": (0, 1)}[match[0]]
    low = int(match["low"])
    return low, low if match["open"] is None else int(match["high"] or _ANY)
