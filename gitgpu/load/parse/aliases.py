"""The values of aliases, and the keys that a merge key adds."""

from collections.abc import Iterable
from itertools import chain
from typing import Any


def size_and_depth(value: Any, maximum: int) -> tuple[int, int]:
    """The number of values in a value (itself included) and of levels. Counting stops after `maximum`."""
    size, levels, level = 1, 0, [value]
    while size <= maximum:
        level = list(chain.from_iterable(map(_items, level)))
        if not level:
            break
        size, levels = size + len(level), levels + 1
    return size, levels


def merge(data: dict[str, Any], marks: dict[str, Any], value: Any, child: Any) -> bool:
    """Applies YAML's merge key. Written keys have precedence over merged ones, and earlier merges over later ones.

    `value` is a mapping or a list of mappings, and `child` its marks: by key for a mapping, and for a list as
    (key mark, value mark, marks of the entry). False if something to merge is not a mapping.
    """
    pairs = [(value, child)]
    if isinstance(value, list):
        pairs = list(zip(value, [marks_of_entry for _, _, marks_of_entry in child], strict=True))
    for source, places in pairs:
        for key, item in source.items() if isinstance(source, dict) else ():
            if key not in data:
                data[key] = item
                marks[key] = places[key]
    return all(isinstance(source, dict) for source, _ in pairs)


def _items(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
