"""The normaliser of each kind, derived once."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from gitgpu.load.spec.normalise import derive, normaliser
from gitgpu.load.spec.shape import KINDS, fleet_schema


@cache
def normaliser_of(kind: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A function that adds defaults to a valid spec of this kind, and converts its values."""
    definitions = fleet_schema()["definitions"]
    return normaliser(derive(definitions[KINDS[kind]]["properties"]["spec"], definitions))
