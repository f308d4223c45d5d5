"""Converts fields by path, as `normal_form.flat` writes them, back to a nested value."""

import re
from collections.abc import Iterable
from typing import Any

from gitgpu.compare.normal_form import ORDER

# A step of a path: [nvidia.com/gpu:NoSchedule] of a list, "kubernetes.io/arch" with dots, or a plain key.
_PART = re.compile(r'\[[^\]]*\]|"[^"]*"|[^.\[\]"]+')
_PATH = re.compile(rf"\.?(?:{_PART.pattern})(?:\.(?:{_PART.pattern})|\[[^\]]*\])*")
_Tree = dict[str, Any]


def nest(fields: Iterable[tuple[str, Any]]) -> Any:
    """The mapping or list for values by path: `[sku:NoSchedule].key` is a key of a list entry.

    Entries that are identified by position are in that order, others in the order of their paths. If a key contains
    quotes or brackets, its path is ambiguous; then the result is the mapping of paths.
    """
    by_path = dict(fields)
    if not all(map(_PATH.fullmatch, by_path)):
        return by_path
    tree: _Tree = {}
    for path, value in by_path.items():
        *above, last = _PART.findall(path)
        if last != ORDER:
            place = tree
            for part in above:
                place = place.setdefault(part, {})
                if not isinstance(place, dict):
                    return by_path
            place[last] = value
    return _value(tree)


def _value(branch: Any) -> Any:
    if not isinstance(branch, dict) or not branch:
        return branch
    if all(key.startswith("[") for key in branch):
        return [_value(branch[key]) for key in sorted(branch, key=_position)]
    return {key.strip('"'): _value(value) for key, value in branch.items()}


def _position(key: str) -> int:
    return len(key) if key[1:-1].isdecimal() else 0  # paths of the same length are already in order
