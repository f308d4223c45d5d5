"""YAML text to plain data that knows where it is written."""

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.parse.conflict import conflict
from gitgpu.load.parse.parsed import Parsed
from gitgpu.load.text import Text


def parse(text: Text, *, as_json: bool = False) -> tuple[list[Parsed], list[Diagnostic]]:
    """All documents of a text and everything that is wrong with it. Documents before a syntax error are kept.

    With `as_json` keys and `!!binary` become text, as on the way to an API server, which takes JSON only.
    """
    if left := conflict(text):
        return [], [left]
    from gitgpu.load.parse.events import build  # noqa: PLC0415  PyYAML takes longer to load than an interpreter

    return build(text, as_json=as_json)
