"""What one object has a controller apply, and plain access to objects of any shape."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.load.delivery.kustomize import ANY, Part

ELSEWHERE: frozenset[tuple[str, str]] = frozenset({ANY})


class Applied(NamedTuple):
    """Files of the tree, and the kustomizations and directories among them, that one object has applied.

    `beyond` are the kinds, as (group, kind), of objects that come from where lint cannot look; ANY is any kind.
    `cluster` names another cluster than the one that the object itself is on; "" is the same.
    """

    parts: tuple[Part, ...] = ()
    kustomizations: tuple[str, ...] = ()
    beyond: frozenset[tuple[str, str]] = frozenset()
    cluster: str = ""


def inner(value: Any, *path: str) -> Any:
    """The value at a path of keys; None where something else than a mapping is on the way."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def words(value: Any, *path: str) -> str:
    """The text at a path; "" where there is none."""
    found = inner(value, *path)
    return found if isinstance(found, str) else ""


def rows(value: Any, *path: str) -> list[dict[str, Any]]:
    """The mappings of the list at a path."""
    found = inner(value, *path)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def family(body: Mapping[str, Any]) -> tuple[str, str]:
    """The group and the kind of an object."""
    return str(body.get("apiVersion")).rpartition("/")[0], str(body.get("kind"))
