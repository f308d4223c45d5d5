"""The clusters that a run covers."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

import click

from gitgpu.spelling import join_names


class ClusterSelection(NamedTuple):
    """Globs (any of them must match; none means all), and a shard of the matches: `part` of `parts`, from 1."""

    globs: tuple[str, ...] = ()
    part: int = 1
    parts: int = 1

    @property
    def everything(self) -> bool:
        """Whether it covers the whole fleet."""
        return not self.globs and self.parts == 1

    @property
    def has_others(self) -> bool:
        """Whether it includes clusters that were removed from the fleet. Only the first shard does."""
        return not self.globs and self.part == 1

    def pick(self, names: Sequence[str]) -> tuple[str, ...]:
        """The selected clusters. Each name is in exactly one shard, regardless of the order of the names."""
        matching = list(filter(self._matches, sorted(names)))
        return tuple(matching[self.part - 1 :: self.parts])

    def require(self, names: Sequence[str]) -> tuple[str, ...]:
        """The selected clusters. Raises click.UsageError if globs match none of the names."""
        picked = self.pick(names)
        if self.globs and not picked:
            globs = " ".join(glob or "''" for glob in self.globs)
            clusters = join_names(sorted(names))
            raise click.UsageError(f"no cluster matches {globs}; the clusters of this fleet: {clusters}")
        return picked

    def _matches(self, name: str) -> bool:
        return not self.globs or any(fnmatchcase(name, glob) for glob in self.globs)


def cluster_selection(globs: Sequence[str], shard: str | None) -> ClusterSelection:
    """The selection of the command line. Raises click.BadParameter for an invalid shard."""
    match = re.fullmatch(r"([0-9]{1,5})/([0-9]{1,5})", "1/1" if shard is None else shard, re.ASCII)
    part, parts = map(int, match.groups()) if match else (0, 0)
    if not 1 <= part <= parts:
        raise click.BadParameter(f"'{shard}' is not I/N with I from 1 to N, such as 2/4", param_hint="--shard")
    return ClusterSelection(tuple(globs), part, parts)
