"""RE2 for patterns that may take exponential time in Python's `re`, if the extra gitgpu[re2] is installed.

The API server runs patterns in linear time, like RE2. Without RE2 here, `longest` limits the texts that `re` searches.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from math import inf
from typing import Any, Protocol

PACKAGE = "re2"
# An escape, a class, the start of a group, a repetition, or one character.
_PIECE = re.compile(
    r"\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\(\?P?[<!=:a-zA-Z-]*"
    r"|(?P<loop>\{(?P<low>\d+)(?P<open>,(?P<high>\d*))?\}|[*+?])|.",
    re.DOTALL,
)
_STEPS = 10**7  # about half a second of Python's engine
_NESTED = 12  # characters: three choices at each of them take 3**12 steps
_MAX_ROUNDS = 12  # required rounds of a loop; with more, the choices in it are too many for any text


class Linear(Protocol):
    """A pattern that RE2 has compiled."""

    def search(self, text: str, /) -> Any:
        """The first match, or None."""
        ...

    def finditer(self, text: str, /) -> Iterator[Any]:
        """Every match."""
        ...


@cache
def has_re2() -> bool:
    """Whether RE2 is installed."""
    return find_spec(PACKAGE) is not None


def linear(pattern: str) -> Linear:
    """The pattern compiled by RE2. Raises ValueError with RE2's reason if it rejects the pattern."""
    import re2  # noqa: PLC0415  heavy, and an extra

    options = re2.Options()
    options.log_errors = False
    try:
        searcher: Linear = re2.compile(pattern, options=options)
    except re2.error as error:
        reason = error.args[0]  # bytes, as RE2's own binding gives it
        raise ValueError(reason.decode() if isinstance(reason, bytes) else reason) from None
    return searcher


def refusal(pattern: str) -> str:
    """Why the pattern is not valid in RE2; "" if it is valid, or if RE2 is not installed."""
    try:
        if has_re2():
            linear(pattern)
    except ValueError as error:
        return "" if "too large" in str(error) else str(error)  # Go, which the API server uses, has a higher limit
    return ""


@cache
def longest(pattern: str) -> int | None:
    """The length of text that Python's `re` searches for a pattern in about half a second; None for any length.

    The estimate of the time is high: it assumes that every choice has to be made again at every character.
    """
    estimate = _Estimate()
    closed: _Group | None = None  # the group that ends directly before a piece
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
        return 0 if estimate.long else _NESTED
    return _room(estimate.loops, estimate.choices * estimate.groups[0].branches)


class _Group:
    """A group of a pattern while it is read: the number of its alternatives, and whether it has a choice."""

    def __init__(self) -> None:
        self.branches, self.chooses = 1, False


class _Estimate:
    """The choices in a pattern, as far as it has been read.

    `loops` is the number of loops without a limit, and `choices` the product of all other choices. `nested` says that a
    choice is inside a loop, and `long` that a loop has to make many rounds. `groups` are those that contain the next
    piece, starting with the whole pattern.
    """

    def __init__(self) -> None:
        self.loops, self.choices, self.long, self.nested = 0, 1, False, False
        self.groups = [_Group()]

    def loop(self, low: int, high: float, group: _Group | None) -> None:
        """Adds a loop of a group, or of one character."""
        self.long = self.long or low > _MAX_ROUNDS
        self.nested = self.nested or bool(group and group.chooses and high > 1)
        if high == inf:
            self.loops += 1
        else:
            self.choices *= int(high) - low + 1
        self.groups[-1].chooses |= low != high

    def branch(self) -> None:
        """Adds an alternative to the innermost group."""
        self.groups[-1].branches += 1
        self.groups[-1].chooses = True

    def close(self) -> _Group:
        """Ends the innermost group."""
        group = self.groups.pop()
        self.groups[-1].chooses |= group.chooses
        self.choices *= group.branches
        return group


def _room(loops: int, choices: int) -> int | None:
    return None if loops == 0 and choices < _STEPS else int((_STEPS / min(choices, _STEPS)) ** (1 / (loops + 1)))


def _rounds(match: re.Match[str]) -> tuple[int, float]:
    """The minimum and maximum number of rounds of a loop."""
    if match["low"] is None:
        return {"*": (0, inf), "+": (1, inf), "?": (0, 1)}[match["loop"]]
    low = int(match["low"])
    if match["open"] is None:
        return low, low
    return low, int(match["high"]) if match["high"] else inf
