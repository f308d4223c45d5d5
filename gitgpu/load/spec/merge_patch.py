"""Merge patches of a document's spec, and the places of values in the patched spec."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.source import Pointer


class Overlay(NamedTuple):
    """A merge patch of `spec` that is at `at` in the same document."""

    at: Pointer
    patch: Mapping[str, Any]


class Written(NamedTuple):
    """The place of a value in a patch, and the value. None removes it."""

    at: Pointer
    value: Any


def merge_patch(target: Any, patch: Any) -> Any:
    """RFC 7386: mappings are merged key by key, null removes a key, any other value replaces the value."""
    if not isinstance(patch, Mapping):
        return patch
    result = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merge_patch(result.get(key), value)
    return result


def last_write(overlays: Sequence[Overlay], pointer: Pointer) -> Written | None:
    """The last overlay that sets a value in the spec; None if there is none, or for the whole spec."""
    if pointer[:1] != ("spec",) or len(pointer) == 1:
        return None
    candidates = (_within(overlay, pointer[1:]) for overlay in reversed(overlays))
    return next(filter(None, candidates), None)


def _within(overlay: Overlay, path: Pointer) -> Written | None:
    value: Any = overlay.patch
    for depth, part in enumerate(path):
        if isinstance(value, Mapping):
            if part not in value:
                return None
            value = value[part]
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:  # a text or null, which replaces everything below it
            return Written((*overlay.at, *path[:depth]), value)
    return Written((*overlay.at, *path), value)


def difference(base: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The merge patch (RFC 7386) that turns `base` into `other`."""
    patch: dict[str, Any] = {key: None for key in base if key not in other}
    for key, value in other.items():
        before = base.get(key)
        if key in base and before == value:
            continue
        both = isinstance(before, Mapping) and isinstance(value, Mapping)
        patch[key] = difference(before, value) if both else value  # type: ignore[arg-type]
    return patch
