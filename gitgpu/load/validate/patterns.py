"""A pattern as Kubernetes reads it: RE2's syntax and RE2's `$`, but run by Python's `re` if that is safe."""

import re
from contextlib import suppress
from functools import cache
from typing import Any, Protocol

from gitgpu.load.validate.linear_regex import has_re2, linear, longest

# An escape, the flag (?i), a class (with a ] that belongs to it), `{,` or one character.
_PIECE = re.compile(r"\\.|\(\?i\)|(?P<class>\[\^?\]?(?:\\.|\[:.*?:\]|[^\]\\])*+\])|\{,|.", re.DOTALL)
# Inside a class: a set of characters with the hyphen after it, an escape, a named class, or one character.
_CLASS_PIECE = re.compile(r"(?P<set>\\[dDsSwW])(?P<hyphen>-?)|\\.|\[:.*?:\]|.", re.DOTALL)
# Python's engine gets texts of half the length that it could search in half a second, but no more than this number of
# characters. That takes a few milliseconds at most.
_SHORT = 64
# Python's `$` also matches before a line break at the end, but RE2's does not. `{,2}` repeats nothing in RE2.
# A vertical tab is whitespace in Python only.
_IN_PYTHON = {"$": r"\Z", r"\z": r"\Z", "{,": r"\{,", r"\s": r"[^\S\v]", r"\S": r"[\S\v]"}
_IN_CLASS = {r"\s": r"\t\n\f\r ", r"\S": r"\S\v"}
# Escapes of RE2 that Python's `re` does not have, or reads differently; and the start of a class without an end.
_UNSUPPORTED = frozenset({r"\p", r"\P", r"\Q", r"\E", r"\C", "["})


class Searcher(Protocol):
    """A compiled pattern."""

    def search(self, text: str, /) -> Any:
        """The first match, or None."""
        ...


class _ByLength:
    """A pattern with loops. Python's engine searches texts up to a length, and RE2 longer ones.

    Most texts are short, and loading RE2 takes longer than searching all of them.
    """

    def __init__(self, pattern: str, short: Searcher, maximum: int) -> None:
        self.pattern, self.short, self.maximum = pattern, short, maximum

    def search(self, text: str, /) -> Any:
        """The first match, or None."""
        engine = self.short if len(text) <= self.maximum else _by_re2(self.pattern) or self.short
        return engine.search(text)


@cache
def compile_pattern(pattern: str) -> Searcher:
    """A pattern that finds the same as RE2. RE2 itself is used where Python cannot read the pattern or is too slow.

    Raises ValueError for a pattern that Python cannot read if RE2 is not installed or rejects it.
    """
    try:
        compiled = re.compile(*_translated(pattern))
    except (ValueError, re.error, OverflowError, RecursionError) as error:
        if by_re2 := _by_re2(pattern):
            return by_re2
        raise ValueError(f"pattern {pattern!r}: {error}") from None
    maximum = longest(pattern)
    return compiled if maximum is None else _ByLength(pattern, compiled, min(maximum // 2, _SHORT))


@cache
def _by_re2(pattern: str) -> Searcher | None:
    """The pattern compiled by RE2, or None if RE2 is not installed or rejects the pattern."""
    with suppress(ValueError):
        return linear(pattern) if has_re2() else None
    return None


def _translated(pattern: str) -> tuple[str, re.RegexFlag]:
    """The pattern in Python's spelling, with its flags. Raises ValueError for syntax that Python does not have."""
    parts: list[str] = []
    flags = re.ASCII  # \d, \w and \s mean ASCII characters in RE2
    for match in _PIECE.finditer(pattern):
        piece = match[0]
        if piece == "(?i)":
            _check_flag(parts)
            flags |= re.IGNORECASE
        elif match["class"]:
            parts += ["[", _CLASS_PIECE.sub(_in_class, piece[1:-1]), "]"]
        else:
            parts.append(_IN_PYTHON.get(_supported(piece), piece))
    return "".join(parts), flags


def _check_flag(before: list[str]) -> None:
    # RE2 accepts the flag anywhere, for the rest of its group. Python accepts it only at the start.
    if set(before) - {"^"}:
        raise ValueError("(?i) is supported only at the start")


def _in_class(match: re.Match[str]) -> str:
    # Python warns about `[[`, `&&`, `||` and `~~`, which may become operations on sets in the future.
    if match[0] in "[&|~":
        return f"\\{match[0]}"
    piece = match["set"] or match[0]
    # A hyphen after a set of characters is only a hyphen in RE2, and an error in Python.
    return _IN_CLASS.get(piece, _supported(piece)) + (r"\-" if match["hyphen"] else "")


def _supported(piece: str) -> str:
    """The piece itself. Raises ValueError if Python's `re` has no counterpart."""
    if piece in _UNSUPPORTED or piece[:2] == "[:":
        raise ValueError(f"{piece} is not supported")
    return piece
