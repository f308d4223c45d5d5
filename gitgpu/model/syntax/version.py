"""Versions of dotted numbers: Kubernetes, drivers, CUDA. Callers keep the text too: in a name, "08" is not "8"."""

import re
from functools import lru_cache
from itertools import zip_longest
from operator import eq, ge, gt, le, lt
from typing import TypeAlias

Version: TypeAlias = tuple[int, ...]
COMPARISONS = {">=": ge, "<=": le, ">": gt, "<": lt, "=": eq}
NUMBERS = re.compile(r"v?([0-9]+(?:\.[0-9]+)*)", re.ASCII)


@lru_cache(1 << 10)  # every cluster of a fleet is compared with the same few bounds
def version(text: str) -> Version:
    """The leading dotted numbers of a version as an ordered value: "v1.34.2-aks1" is (1, 34, 2).

    Raises ValueError if the text does not begin with a number.
    """
    match = NUMBERS.match(text)
    if not match:
        raise ValueError(f"{text!r} is not a version")
    return tuple(int(part) for part in match.group(1).split("."))


def numbers_in(text: str) -> str:
    """The first dotted numbers in a version or tag: "26.4.1" in "network-operator-v26.4.1"; "" without numbers."""
    match = NUMBERS.search(text)
    return match.group(1) if match else ""


def minor(text: str) -> str:
    """The major and minor version: "1.34" for "1.34.2"."""
    return ".".join(str(part) for part in version(text)[:2])


@lru_cache(1 << 10)
def inside(text: str, bounds: str) -> bool:
    """Whether a version is inside bounds such as ">=26.3 <26.7". Missing parts count as zero.

    Raises ValueError if the text does not begin with a number.
    """
    return all(_holds(version(text), bound) for bound in bounds.split())


def _holds(current: Version, bound: str) -> bool:
    number = bound.lstrip("<>=")
    limit = version(number)
    padded = zip(*zip_longest(current, limit, fillvalue=0), strict=True)
    return bool(COMPARISONS[bound.removesuffix(number)](*padded))
