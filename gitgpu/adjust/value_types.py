"""The types of values, if known: from the keys of a chart, its defaults, and the values that gitgpu sets."""

from collections.abc import Mapping, Sequence
from typing import Any

from gitgpu.emit.chart.decisions import Path
from gitgpu.load.access import value_at
from gitgpu.objects.gitops.value_keys import Keys

_TYPES: Mapping[type, str] = {bool: "true or false", list: "a list", dict: "a mapping"}


def expected_type(path: Path, keys: Keys | None, samples: Sequence[Any]) -> str:
    """The type of the value at a path in words; "" if it is not known, or is text or a number."""
    if keys and keys.below(path):
        return _TYPES[dict]
    types = (_TYPES.get(type(value_at(sample, path)), "") for sample in samples)
    return next(filter(None, types), "")


def is_of_type(value: Any, wanted: str) -> bool:
    """Whether a value has the type. A null has every type, because it removes a value."""
    return not wanted or value is None or _TYPES.get(type(value)) == wanted
