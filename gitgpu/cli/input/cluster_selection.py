"""Which clusters a run is about."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

import click


class ClusterSelection(NamedTuple):
    """Globs (any of them must match; none means all), and the part of the rest: shard `part` of `parts`, from 1."""

    globs: tuple[str, ...] = ()
    part: int = 1
    parts: int = 1

    @property
    def everything(self) -> bool:
        """Is it about the whole fleet?"""
        return not self.globs and self.parts == 1

    @property
    def has_others(self) -> bool:
        """Is it about the clusters that have left the fleet, too? Of all shards the first one is."""
        return not self.globs and self.part == 1

    def pick(self, names: Sequence[str]) -> tuple[str, ...]:
        """The chosen ones; every name is in exactly one shard, whatever the order in which names are given."""
        matching = [name for name in sorted(names) if not self.globs or any(fnmatchcase(name, g) for g in self.globs)]
        return tuple(matching[self.part - 1 :: self.parts])


def cluster_selection(globs: Sequence[str], shard: str | None) -> ClusterSelection:
    """The choice that the command line makes. Raises click.BadParameter for a shard that is none."""
    found = re.fullmatch(r"([0-9]{1,5})/([0-9]{1,5})", "1/1" if shard is None else shard, re.ASCII)
    part, parts = (int(number) for number in found.groups()) if found else (0, 0)
    if not 1 <= part <= parts:
        raise click.BadParameter(f"'{shard}' is not I/N with I from 1 to N, such as 2/4", param_hint="--shard")
    return ClusterSelection(tuple(globs), part, parts)
