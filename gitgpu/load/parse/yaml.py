"""YAML text to plain data with the place of each value."""

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
