"""YAML text to plain data with the place of each value."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from gitgpu.access import mapping
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.parse.conflict import conflict
from gitgpu.load.parse.parsed import Parsed
from gitgpu.load.secret_values import conceal
from gitgpu.load.text import Text


def parse(text: Text, *, as_json: bool = False) -> tuple[list[Parsed], list[Diagnostic]]:
    """All documents of a text, and its faults. Documents before a syntax error are kept.

    With `as_json`, keys and `!!binary` become text, as for an API server, which accepts only JSON.
    """
    if left := conflict(text):
        return [], [left]
    from gitgpu.load.parse.events import build  # noqa: PLC0415  PyYAML takes longer to load than Python itself

    documents, faults = build(text, as_json=as_json)
    return documents, conceal(faults, {text.name: text.content})


def mapping_in(text: Any) -> Mapping[str, Any]:
    """The mapping in a YAML text that is a value of an object; empty if it cannot be read or is not a mapping."""
    return _read(text) if isinstance(text, str) else {}


@lru_cache(1 << 8)  # every cluster has the same few texts
def _read(text: str) -> Mapping[str, Any]:
    documents, faults = parse(Text("text", text, "text"), as_json=True)
    return mapping(documents[0].data) if len(documents) == 1 and not faults else {}
