"""Versions that are dotted numbers: Kubernetes, drivers, CUDA. The text is kept beside: "08" is not "8" in a name."""

import re
from functools import lru_cache
from typing import TypeAlias

Version: TypeAlias = tuple[int, ...]
NUMBERS = re.compile(r"v?([0-9]+(?:\.[0-9]+)*)", re.ASCII)


@lru_cache(1 << 10)  # every cluster of a fleet is held against the same few bounds
def version(text: str) -> Version:
    """The leading dotted numbers of a version as an ordered value: "v1.34.2-aks1" is (1, 34, 2).

    Raises ValueError when the text does not begin with a number.
    """
    found = NUMBERS.match(text)
    if not found:
        raise ValueError(f"{text!r} is not a version")
    return tuple(int(part) for part in found.group(1).split("."))


def minor(text: str) -> str:
    """Major and minor of a version: "1.34.2" is "1.34"."""
    return ".".join(str(part) for part in version(text)[:2])
