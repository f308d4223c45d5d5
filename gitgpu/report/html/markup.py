"""Text inside of HTML and SVG."""

from html import escape as _escape

from gitgpu.report.terminal import printable, safe


def escape(text: str) -> str:
    """Text that is safe in HTML: without active markup, commands to a pipeline, and invisible characters."""
    return _escape(safe(printable(" ".join(text.split("\n")))))
