"""A pattern as Kubernetes reads it: RE2's syntax and RE2's `$`, but run by Python's `re` if that is safe."""

import re
from contextlib import suppress
from functools import cache
from typing import Any, Protocol

from gitgpu.load.validate.linear_regex import has_re2, linear, longest

# An escape, the flag (?i), the start of a class (with a ] that belongs to it), or one character.
_PIECE = re.compile(r"\\.|\(\?i\)|\[\^?\]?|.", re.DOTALL)
# Python's engine gets texts of half the length that it could search in half a second, but no more than this number of
# characters. That takes a few milliseconds at most.
_SHORT = 64
# Escapes of RE2 that Python's `re` does not have, or reads differently.
_UNSUPPORTED = frozenset({r"\p", r"\P", r"\Q", r"\E", r"\C"})


class Searcher(Protocol):
    """A compiled pattern."""

    def search(self, text: str, /) -> Any:
        """The first match, or None."""
        ...


class _ByLength:
    """A pattern with loops. Python's engine searches texts up to a length, and RE2 longer ones.

    Most texts are short, and loading RE2 takes longer than searching all of them.
    """

    def __init__(self, pattern: str, short: Searcher, most: int) -> None:
        self.pattern, self.short, self.most = pattern, short, most

    def search(self, text: str, /) -> Any:
        """The first match, or None."""
        engine = self.short if len(text) <= self.most else _for_long(self.pattern) or self.short
        return engine.search(text)


@cache
def compile_pattern(pattern: str) -> Searcher:
    """A pattern that finds the same as RE2. RE2 itself is used where Python's engine may take too long.

    Raises ValueError or re.error for syntax that only RE2 has.
    """
    translated, flags = _translated(pattern)
    most = longest(pattern)
    try:
        compiled = re.compile(translated, flags)
    except re.error:
        if most is not None and (by_re2 := _for_long(pattern)):
            return by_re2
        raise
    return compiled if most is None else _ByLength(pattern, compiled, min(most // 2, _SHORT))


@cache
def _for_long(pattern: str) -> Searcher | None:
    """The pattern compiled by RE2, or None if RE2 is not installed or rejects the pattern."""
    with suppress(ValueError):
        return linear(pattern) if has_re2() else None
    return None


def _translated(pattern: str) -> tuple[str, re.RegexFlag]:
    """The pattern in Python's spelling, with its flags."""
    parts: list[str] = []
    flags, in_class = re.ASCII, False  # \d, \w and \s mean ASCII characters in RE2
    for piece in _PIECE.findall(pattern):
        if piece in _UNSUPPORTED or (in_class and piece == "[" and "[:" in pattern):
            raise ValueError(f"pattern {pattern!r}: {piece} is not supported")
        if piece == "(?i)" and not in_class:
            flags |= _case_flag(parts, pattern)
            continue
        parts.append(_in_python(piece, in_class=in_class))
        in_class = not _ends_class(piece) if in_class else piece[0] == "["
    return "".join(parts), flags


def _case_flag(before: list[str], pattern: str) -> re.RegexFlag:
    # RE2 accepts the flag anywhere, for the rest of its group. Python accepts it only at the start.
    if set(before) - {"^"}:
        raise ValueError(f"pattern {pattern!r}: (?i) is supported only at the start")
    return re.IGNORECASE


def _ends_class(piece: str) -> bool:
    return piece[-1] == "]" and piece[0] != "\\"


def _in_python(piece: str, *, in_class: bool) -> str:
    if in_class:
        # Python warns about `[[`, which may become a nested set in the future.
        return piece if piece[0] == "\\" else piece.replace("[", r"\[")
    # Python's `$` also matches before a line break at the end, but RE2's does not.
    return r"\Z" if piece in ("$", r"\z") else piece
