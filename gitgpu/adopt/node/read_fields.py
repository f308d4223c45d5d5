"""The keys of a GpuPool that the fields of an object set."""

from collections.abc import Iterable
from typing import Any

from gitgpu.plan.fields.field import Field


def read_fields(values: Iterable[tuple[Field[Any], Any]]) -> dict[str, Any]:
    """The keys for the values of fields, without those that are None or empty."""
    keys: dict[str, Any] = {}
    for field, value in values:
        setting = field.read(value) if field.read else None
        if setting not in (None, {}, []):
            *above, last = map(str, field.key)
            part = keys
            for key in above:
                part = part.setdefault(key, {})
            part[last] = setting
    return keys
