"""Ranges of chart versions, as Helm, Flux and Argo CD read them.

The syntax is that of https://github.com/Masterminds/semver/tree/v3.4.0#checking-version-constraints.
"""

import re
from functools import lru_cache

from gitgpu.model.syntax.version import COMPARISONS, NUMBERS, Version, version

_BOUND = re.compile(r"(?P<operator>>=|<=|!=|=>|=<|[~^><=])?\s*v?(?P<version>[0-9xX*]+(?:\.[0-9xX*]+){0,2})(?:[-+]\S*)?")
_WILDCARDS = ("x", "X", "*")


@lru_cache(1 << 10)  # every cluster of a fleet is compared with the same few ranges
def allows(constraint: str, text: str) -> bool:
    """Whether a range allows a version. A range that cannot be read allows none."""
    if not NUMBERS.match(text):
        return False
    running = (*version(text), 0, 0)[:3]
    return any(_holds(part, running) for part in constraint.split("||"))


def _holds(part: str, running: Version) -> bool:
    """Whether all bounds in a part without || hold."""
    between = re.sub(r"(\S+)\s+-\s+(\S+)", r">=\1 <=\2", part.strip())
    bounds = list(_BOUND.finditer(between))
    if not bounds or _BOUND.sub("", between).strip(" ,"):
        return False
    return all(_is_within(match["operator"] or "", match["version"], running) for match in bounds)


def _is_within(operator: str, bound: str, running: Version) -> bool:
    parts = bound.split(".")
    given = [int(each) for each in parts[: _first_wildcard(parts)]]
    low = (*given, 0, 0, 0)[:3]
    if operator in ("", "=", "~", "^", "!=", "<=", "=<", ">"):
        above = _above(operator, given)
        if operator in ("<=", "=<"):
            return above is None or running < above
        if operator == ">":
            return above is not None and running >= above
        inside = low <= running and (above is None or running < above)
        return inside is not (operator == "!=")
    return bool(COMPARISONS[operator.replace("=>", ">=")](running, low))


def _first_wildcard(parts: list[str]) -> int:
    return next((number for number, part in enumerate(parts) if part in _WILDCARDS), len(parts))


def _above(operator: str, given: list[int]) -> Version | None:
    """The first version above those that a bound means; None if there is none."""
    if not given:
        return None
    kept = len(given)
    if operator == "~":
        kept = min(kept, 2)
    elif operator == "^":
        kept = next((number + 1 for number, part in enumerate(given) if part), kept)
    return (*given[: kept - 1], given[kept - 1] + 1, 0, 0)[:3]
