"""Which files of the output directory a build is about."""

from collections.abc import Iterable
from typing import NamedTuple

_UNSAFE = frozenset("\\:")  # a separator and a drive on Windows


class Scope(NamedTuple):
    """The `clusters` that a build is about, among `all_clusters` that the fleet has now.

    `others` says whether it also covers folders that belong to none of these, such as those of removed clusters.
    """

    clusters: frozenset[str]
    all_clusters: frozenset[str]
    others: bool = False

    @property
    def whole(self) -> bool:
        """Whether the build covers the whole fleet, and so every file of the output directory."""
        return self.all_clusters <= self.clusters

    def holds(self, path: str) -> bool:
        """Whether the build may replace or remove this file or folder."""
        name, _, _ = path.partition("/")
        if name in self.clusters:  # nearly every path; `whole` is slower, because it compares all clusters
            return True
        return (self.others and name not in self.all_clusters) or self.whole


def is_inside(path: str) -> bool:
    """Whether this is a plain relative POSIX path, which can only name a file below the output directory."""
    plain = path.isprintable() and not _UNSAFE.intersection(path)
    return plain and all(part not in ("", ".", "..") for part in path.split("/"))


def prove(root: str, paths: Iterable[str], scope: Scope) -> None:
    """Raises ValueError for paths that a build of this scope must not write."""
    if not root:
        raise ValueError("the output directory has no name")
    for path in paths:
        if not is_inside(path) or "/" not in path or not scope.holds(path):
            raise ValueError(f"{path!r} is not a path of this build")
