"""Text inside of HTML and SVG."""

from html import escape as _escape

from gitgpu.report.terminal import printable, safe


def escape(text: str) -> str:
    """A text in which nothing acts: no markup, no command to a pipeline, no character that cannot be seen."""
    return _escape(safe(printable(" ".join(text.split("\n")))))
