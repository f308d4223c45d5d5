"""A pattern as Kubernetes means it: RE2's syntax and RE2's `$`, run by Python's `re`."""

import re

_TOKEN = re.compile(r"\\.|\(\?i\)|\[\^?\]?|.", re.DOTALL)
_UNSUPPORTED = frozenset({r"\p", r"\P", r"\Q", r"\E", r"\C"})


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """The Python pattern that finds what RE2 would find. Raises ValueError for syntax that only RE2 has."""
    parts: list[str] = []
    flags, in_class = re.ASCII, False
    for token in _TOKEN.findall(pattern):
        if token in _UNSUPPORTED or (in_class and token == "[" and "[:" in pattern):
            raise ValueError(f"pattern {pattern!r}: {token} has no counterpart here")
        if token == "(?i)":
            flags |= _case_flag(parts, pattern)
            continue
        parts.append(_spelt(token, in_class=in_class))
        in_class = token != "]" if in_class else token[0] == "["
    return re.compile("".join(parts), flags)


def _case_flag(before: list[str], pattern: str) -> re.RegexFlag:
    # RE2 takes the flag anywhere and lets it run to the end of its group; Python only at the very start.
    if set(before) - {"^"}:
        raise ValueError(f"pattern {pattern!r}: (?i) may only stand at the start")
    return re.IGNORECASE


def _spelt(token: str, *, in_class: bool) -> str:
    if in_class:
        return r"\[" if token[0] == "[" else token
    return r"\Z" if token in ("$", r"\z") else token
