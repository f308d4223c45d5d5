"""Values of Helm charts as mappings: merged, and without unknown values."""

from collections.abc import Mapping, Sequence
from typing import Any

ACTION = "{{"  # the start of a value that an ApplicationSet fills in


def merge_values(default: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Merges values over defaults as Helm does: maps are merged, and everything else is replaced."""
    merged = {**default, **values}
    for key, over in values.items():
        value = default.get(key)
        if isinstance(value, dict) and isinstance(over, dict):
            merged[key] = merge_values(value, over)
    return merged


def merged_value(default: Mapping[str, Any], values: Mapping[str, Any], path: Sequence[str]) -> Any:
    """The value at a path of the merged values, without merging the others; None if there is none."""
    if not path:
        return merge_values(default, values)
    key, *below = path
    value, over = default.get(key), values.get(key)
    if isinstance(value, dict) and isinstance(over, dict):
        return merged_value(value, over, below)
    value = over if key in values else value
    for part in below:
        value = value.get(part) if isinstance(value, dict) else None
    return value


def literal_text(text: str) -> str:
    """The text, or "" if an ApplicationSet fills in a part of it."""
    return "" if ACTION in text else text


def without_actions(value: Any) -> Any:
    """The value without texts that an ApplicationSet fills in."""
    if isinstance(value, dict):
        kept = {key: entry for key, entry in value.items() if ACTION not in str(key) and not _is_action(entry)}
        return {key: without_actions(entry) for key, entry in kept.items()}
    if isinstance(value, list):
        return [without_actions(entry) for entry in value if not _is_action(entry)]
    return value


def _is_action(value: Any) -> bool:
    return isinstance(value, str) and ACTION in value


def is_for_author(key: str) -> bool:
    """Whether a key of values only helps their author, such as one that holds an anchor."""
    return key.startswith(("x-", "_", ".")) or "anchor" in key.lower()
