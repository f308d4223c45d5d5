"""Rows of the user's catalog with `extends: gitgpu`: they only contain what differs from gitgpu's row."""

from collections.abc import Mapping
from typing import Any

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.parse.parsed import Parsed

KEY, OWN = "extends", "gitgpu"
_DATED = ("source", "verified")  # the changes need their own source: gitgpu's does not prove them


def extends(data: Mapping[str, Any]) -> bool:
    """Whether the row contains only what differs from another row."""
    return KEY in data


def extend_row(document: Parsed, base: Mapping[str, Any] | None, kind: str) -> Parsed | Diagnostic:
    """The whole row: mappings are merged key by key, any other value replaces that of `base`.

    `null` is a value here (unknown), and does not remove a key. The result is CAT007 if there is nothing to extend, or
    if the row does not have its own source and date.
    """
    data = document.data
    if data[KEY] != OWN:
        message = f"extends is {data[KEY]!r}; only rows in gitgpu's catalog can be extended"
        return fault("CAT007", message, f"set {KEY}: {OWN}, or write a complete row", document.places.span((KEY,)))
    if base is None:
        message = f"gitgpu's catalog has no {kind}/{data['name']} to extend"
        return fault("CAT007", message, f"remove {KEY} and write a complete row", document.places.span((KEY,)))
    missing_keys = [key for key in _DATED if key not in data]
    if missing_keys:
        message = f"the row does not have its own {' and '.join(missing_keys)}"
        remedy = f"add {' and '.join(missing_keys)}: the source of your changes, and the date when you checked it"
        return fault("CAT007", message, remedy, document.places.span((KEY,), key=True))
    changes = {key: value for key, value in data.items() if key != KEY}
    undated = {key: value for key, value in base.items() if key != "asOf"}  # the date of gitgpu's sources
    return document._replace(data=merge_mappings(undated, changes))


def merge_mappings(base: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Both merged, with the keys in the order of `base`. Values of `overrides` have precedence; mappings are merged."""
    whole = dict(base)
    for key, value in overrides.items():
        below = whole.get(key)
        both = isinstance(below, Mapping) and isinstance(value, Mapping)
        whole[key] = merge_mappings(below, value) if both else value  # type: ignore[arg-type]
    return whole
