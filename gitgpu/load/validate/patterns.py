"""A pattern as Kubernetes means it: RE2's syntax and RE2's `$`, run by Python's `re` where that is safe."""

import re
from contextlib import suppress
from functools import cache

from gitgpu.load.validate.linear_regex import Searcher, has_re2, linear, longest

# An escape, the flag (?i), the start of a class (with a ] that belongs to it), or one character.
_PIECE = re.compile(r"\\.|\(\?i\)|\[\^?\]?|.", re.DOTALL)
# Escapes that RE2 knows and Python's `re` does not, or reads as something else.
_UNSUPPORTED = frozenset({r"\p", r"\P", r"\Q", r"\E", r"\C"})


@cache
def compile_pattern(pattern: str) -> Searcher:
    """The pattern that finds what RE2 would find, by RE2 itself where Python's engine may take too long.

    Raises ValueError for syntax that only RE2 has.
    """
    translated, flags = _translated(pattern)
    if longest(pattern) is not None and has_re2():
        with suppress(ValueError):
            return linear(pattern)
    return re.compile(translated, flags)


def _translated(pattern: str) -> tuple[str, re.RegexFlag]:
    """The pattern in Python's spelling, with its flags."""
    parts: list[str] = []
    flags, in_class = re.ASCII, False  # \d, \w and \s mean ASCII characters in RE2
    for piece in _PIECE.findall(pattern):
        if piece in _UNSUPPORTED or (in_class and piece == "[" and "[:" in pattern):
            raise ValueError(f"pattern {pattern!r}: {piece} has no counterpart here")
        if piece == "(?i)" and not in_class:
            flags |= _case_flag(parts, pattern)
            continue
        parts.append(_in_python(piece, in_class=in_class))
        in_class = not _ends_class(piece) if in_class else piece[0] == "["
    return "".join(parts), flags


def _case_flag(before: list[str], pattern: str) -> re.RegexFlag:
    # RE2 takes the flag anywhere and lets it run to the end of its group; Python only at the very start.
    if set(before) - {"^"}:
        raise ValueError(f"pattern {pattern!r}: (?i) may only stand at the start")
    return re.IGNORECASE


def _ends_class(piece: str) -> bool:
    return piece[-1] == "]" and piece[0] != "\\"


def _in_python(piece: str, *, in_class: bool) -> str:
    if in_class:
        # Python warns about `[[`, which may mean a nested set one day.
        return piece if piece[0] == "\\" else piece.replace("[", r"\[")
    # Python's $ also matches before a line break at the end, RE2's does not.
    return r"\Z" if piece in ("$", r"\z") else piece
