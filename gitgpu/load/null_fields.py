"""Null in objects: Kubernetes reads it as absent."""

from collections.abc import Mapping
from typing import Any


def without_null(value: Any) -> Any:
    """A value without keys that are null, because the API server drops them. Items of lists are kept."""
    return _without_null(value) if _holds_null(value) else value


def _holds_null(value: Any) -> bool:
    """Whether it contains null. Most objects contain none, and are not copied."""
    for item in value.values() if isinstance(value, dict) else value:
        if item is None or (isinstance(item, (dict, list)) and _holds_null(item)):
            return True
    return False


def _without_null(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_null(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_null(item) for item in value]
    return value
