"""What a NodePool requires of the labels of its nodes, in requirements and template labels."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from gitgpu.model.syntax.requirement import OLD_NAMES, Requirement, requirement
from gitgpu.objects.node.node_pools import LABELS, NodePool
from gitgpu.objects.objects import Objects
from gitgpu.source import Pointer


class LabelRequirement(NamedTuple):
    """One requirement: its place, the current name of the label key, and each value with its place.

    A template label requires its own value. `meaning` is None for a bound that is not an integer.
    """

    pointer: Pointer
    key: str
    operator: str
    values: tuple[tuple[Pointer, str], ...]
    meaning: Requirement | None

    @property
    def place(self) -> Pointer:
        """The most precise place: the value if there is only one."""
        return self.values[0][0] if len(self.values) == 1 else self.pointer


@lru_cache(10_000)
def label_requirements(pool: NodePool) -> tuple[LabelRequirement, ...]:
    """Every requirement of a NodePool, its template labels first; cached, because many rules need them."""
    return tuple(_demands(pool))


def _demands(pool: NodePool) -> Iterator[LabelRequirement]:
    for key, value in pool.labels.items():
        place: Pointer = (*LABELS, key)
        yield LabelRequirement(place, OLD_NAMES.get(key, key), "In", ((place, value),), requirement(key, "In", [value]))
    for entry in pool.entries:
        key = OLD_NAMES.get(entry.key, entry.key)
        yield LabelRequirement(entry.pointer, key, entry.operator, entry.placed, entry.meaning)


def known_values(objects: Objects) -> Mapping[str, tuple[str, ...]]:
    """The possible values on nodes of the label keys that have few."""
    rows = objects.catalog.must("labels", "karpenter")["values"]
    return {row["key"]: tuple(row["values"]) for row in rows}


def same_but_for_case(value: str, options: tuple[str, ...]) -> str:
    """The known value that differs from this one only in case; empty if there is none."""
    return next((name for name in options if name != value and name.lower() == value.lower()), "")


def yaml_value(value: str) -> str:
    """A label value as YAML: quoted if YAML would read it as another type."""
    # N, the family of most GPU sizes, is a boolean in YAML 1.1.
    return f'"{value}"' if value in ("true", "false", "N") or value.isdigit() else value
