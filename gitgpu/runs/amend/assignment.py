"""What a document should contain, as a tree alongside its data: keys and positions to values."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from gitgpu.load.spec.shape import Document
from gitgpu.source import Pointer

Tree: TypeAlias = dict[str | int, Any]


class Absent(StrEnum):
    """The value of a key that does not exist."""

    ABSENT = "\0absent"  # YAML allows no NUL, so no document has this value


class Assignment(NamedTuple):
    """What a document should have at a pointer: a scalar, a list, an empty mapping, or nothing."""

    document: Document
    pointer: Pointer
    value: Any


def tree_of(wanted: Iterable[Assignment], data: Any) -> Tree:
    """The values as a tree, without those that the data has already. A mapping that loses all its keys is absent."""
    tree: Tree = {}
    for _, pointer, value in wanted:
        *path, last = pointer
        below = tree
        for part in path:
            below = below.setdefault(part, {})
        below[last] = value
    return _prune(tree, data)


def is_branch(value: Any) -> bool:
    """Whether it is a part of a tree, not a value to write."""
    return isinstance(value, Mapping) and bool(value)


def is_of_list(tree: Tree) -> bool:
    """Whether its keys are positions in a list, not keys of a mapping."""
    return isinstance(next(iter(tree)), int)


def child(data: Any, key: str | int) -> Any:
    """The value of a key or at a position; ABSENT if there is none."""
    if isinstance(data, list) and isinstance(key, int):
        return data[key] if key < len(data) else Absent.ABSENT
    return data.get(key, Absent.ABSENT) if isinstance(data, Mapping) else Absent.ABSENT


def _prune(tree: Tree, data: Any) -> Tree:
    result: Tree = {}
    for key, value in tree.items():
        current = child(data, key)
        wanted = _prune(value, current) if is_branch(value) else value
        if is_branch(value) and not wanted:
            continue
        if is_branch(wanted) and isinstance(current, Mapping) and _is_emptied(wanted, current):
            wanted = Absent.ABSENT
        if wanted != current:
            result[key] = wanted
    return result


def _is_emptied(tree: Tree, data: Mapping[str, Any]) -> bool:
    return tree.keys() == data.keys() and all(value is Absent.ABSENT for value in tree.values())


def apply_tree(tree: Tree, data: Any) -> Any:
    """The data with the values of a tree."""
    if isinstance(data, list) and is_of_list(tree):
        items = list(data)
        for index, item in enumerate(data):
            if index in tree:
                items[index] = apply_tree(tree[index], item)
        return items
    result = dict(data) if isinstance(data, Mapping) else {}
    for key, value in tree.items():
        if value is Absent.ABSENT:
            result.pop(str(key), None)
        else:
            result[str(key)] = apply_tree(value, result.get(str(key))) if is_branch(value) else value
    return result


def removals(tree: Tree, path: Pointer = ()) -> Iterator[Pointer]:
    """The pointers of values that should be absent."""
    for key, value in tree.items():
        if value is Absent.ABSENT:
            yield (*path, key)
        elif is_branch(value):
            yield from removals(value, (*path, key))
