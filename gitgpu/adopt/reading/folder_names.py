"""Short names for folders of clusters: the different parts of their paths."""

from collections.abc import Sequence
from itertools import takewhile


def distinct_names(folders: Sequence[str]) -> list[str]:
    """Names for folders: their paths without the parts that all of them start or end with."""
    parts = [folder.split("/") for folder in folders]
    first = _common_start(parts)
    last = _common_start([part[first:][::-1] for part in parts])
    return ["-".join(part[first : len(part) - last]) or "-".join(part) for part in parts]


def _common_start(paths: Sequence[Sequence[str]]) -> int:
    """How many leading parts all of these paths share."""
    levels = zip(*paths, strict=False)
    return len(list(takewhile(lambda level: len(set(level)) == 1, levels)))
