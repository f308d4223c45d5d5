"""Plain access to values of any shape.

All of these read a part that is missing, null or of another shape as absent, as Kubernetes reads null. Only `value_at`
and `has` see a null that is written.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

# For isinstance: most mappings are dicts, and checks for the abstract class are slow.
MAPPING = (dict, Mapping)


def reach(value: Any, *path: str | int) -> Any:
    """The value at a path of keys and indexes; None if it is absent."""
    for key in path:
        if type(value) is dict:  # most values: the other tests take longer
            value = value.get(key)
        elif value is None:
            return None
        elif isinstance(value, MAPPING):
            value = value.get(key)
        elif isinstance(value, list) and isinstance(key, int) and key < len(value):
            value = value[key]
        else:
            return None
    return value


def text_at(value: Any, *path: str | int) -> str:
    """The text at a path; "" if there is none."""
    text = reach(value, *path)
    return text if isinstance(text, str) else ""


def mapping_at(value: Any, *path: str | int) -> Mapping[str, Any]:
    """The mapping at a path; {} if there is none."""
    found = reach(value, *path)
    return found if isinstance(found, MAPPING) else {}


def list_at(value: Any, *path: str | int) -> list[Any]:
    """The list at a path; [] if there is none."""
    found = reach(value, *path)
    return found if isinstance(found, list) else []


def rows(value: Any, *path: str | int) -> list[dict[str, Any]]:
    """The mappings in the list at a path."""
    return [entry for entry in list_at(value, *path) if isinstance(entry, dict)]


# A separate value, because a document may contain null.
ABSENT = object()


def value_at(value: Any, path: Iterable[str | int]) -> Any:
    """The value at a path of keys and indexes, even if it is null; `ABSENT` if there is none."""
    for key in path:
        if isinstance(value, MAPPING):
            if key not in value:
                return ABSENT
        elif not (isinstance(value, list) and isinstance(key, int) and key < len(value)):
            return ABSENT
        value = value[key]
    return value


def has(value: Any, path: Iterable[str | int]) -> bool:
    """Whether there is a value at a path of keys and indexes, even if it is null."""
    return value_at(value, path) is not ABSENT


def children(value: Any) -> Iterator[tuple[Any, Any]]:
    """The keys or indexes and the values of a mapping or a list; empty for any other value."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)
