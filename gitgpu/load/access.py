"""Plain access to objects of any shape."""

from collections.abc import Iterable, Mapping
from typing import Any

# For isinstance: most mappings are dicts, and checks for the abstract class are slow.
MAPPING = (dict, Mapping)


def inner(value: Any, *path: str) -> Any:
    """The value at a path of keys; None if a value on the path is not a mapping."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


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


def text_at(value: Any, *path: str) -> str:
    """The text at a path, or "" if there is none."""
    text = inner(value, *path)
    return text if isinstance(text, str) else ""


def rows(value: Any, *path: str) -> list[dict[str, Any]]:
    """The mappings in the list at a path."""
    items = inner(value, *path)
    if not isinstance(items, list):
        return []
    return [entry for entry in items if isinstance(entry, dict)]


def entries(value: Any, *path: str) -> list[Any]:
    """The list at a path; empty if there is none."""
    items = inner(value, *path)
    return items if isinstance(items, list) else []


def group_kind(body: Mapping[str, Any]) -> tuple[str, str]:
    """The group and the kind of an object."""
    return str(body.get("apiVersion")).rpartition("/")[0], str(body.get("kind"))


def address(url: str) -> str:
    """The URL of a repository in one spelling, so that two URLs of one repository compare equal."""
    rest = url.partition("://")[2] or url.replace(":", "/", 1)
    return rest.rpartition("@")[2].removesuffix(".git").strip("/").lower()
