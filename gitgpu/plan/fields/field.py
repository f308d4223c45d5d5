"""A field of a node object, and the key of a GpuPool that sets it."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from gitgpu.source import Pointer

Plan = TypeVar("Plan")


class Field(NamedTuple, Generic[Plan]):
    """A field of the spec of an object, by its name. `key` is a key of the GpuPool's spec.

    `write` is the value of the field for a plan, `read` the value of the key for a field; both are None or empty if
    there is none. Without `read`, import reads the key from several fields or objects. `parts` are the parts of the
    value that have a different key, or another name in the spec.
    """

    name: str
    key: Pointer
    write: Callable[[Plan], Any]
    read: Callable[[Any], Any] | None = None
    parts: Mapping[Pointer, Pointer] = {}


def same(value: Any) -> Any:
    """For fields that have the value of the key."""
    return value
