"""Finds the groups that a pod could run on, judged by each of its labels separately."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gitgpu.model.syntax.requirement import Requirement
from gitgpu.simulate.node.node_group import NodeGroup
from gitgpu.simulate.pod.shape import Shape


class _Index(NamedTuple):
    """Groups by one label: their numbers by each value that it can have, and those that do not list the values."""

    by_value: Mapping[str, set[int]]
    unlisted: set[int]


class Candidates:
    """Groups by the values of their labels.

    Most pods name their pool, and a pod that lists values of a label cannot run on a group that lists only other
    values. The index avoids a comparison of each pod with each group.
    """

    def __init__(self, groups: Sequence[NodeGroup]) -> None:
        self._groups = groups
        self._indexes: dict[str, _Index] = {}

    def of(self, shape: Shape) -> Sequence[NodeGroup]:
        """The groups in order, without those that cannot have a label value that the pod requires."""
        numbers = [self._numbers(wanted) for wanted in shape.wants.values() if _is_list(wanted)]
        if not numbers:
            return self._groups
        return [self._groups[number] for number in sorted(set.intersection(*numbers))]

    def _numbers(self, wanted: Requirement) -> set[int]:
        if wanted.key not in self._indexes:
            self._indexes[wanted.key] = self._index(wanted.key)
        index = self._indexes[wanted.key]
        return index.unlisted.union(*(index.by_value.get(value, ()) for value in wanted.values))

    def _index(self, key: str) -> _Index:
        by_value: dict[str, set[int]] = defaultdict(set)
        unlisted: set[int] = set()
        for number, group in enumerate(self._groups):
            label = group.node.get(key)
            if label is None or label.complement:
                unlisted.add(number)
                continue
            for value in label.values:
                by_value[value].add(number)
        return _Index(by_value, unlisted)


def _is_list(wanted: Requirement) -> bool:
    """Whether the requirement lists the values that it allows. One that requires a label to be absent lists none."""
    return bool(wanted.values) and not wanted.complement
