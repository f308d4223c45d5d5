"""A document that was read from YAML."""

from typing import Any, NamedTuple

from gitgpu.source import SourceMap


class Parsed(NamedTuple):
    """One YAML document: plain data (None if empty) and the places of its values."""

    data: Any
    places: SourceMap
