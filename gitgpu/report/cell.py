"""Text inside of Markdown."""

import re

from gitgpu.report.screen import printable

_ACTIVE = re.compile(r"([\\`*_\[\]<>|~#&])")


def cell(text: str) -> str:
    """A text inside of a table, or of a line, in which nothing acts."""
    return "<br>".join(_ACTIVE.sub(r"\\\1", printable(line)) for line in text.splitlines())
