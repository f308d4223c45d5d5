"""How the terminal shows text: colour and width."""

import os
import sys
from typing import TextIO

from gitgpu.report.findings import Style


def style_of(colour: str) -> Style:
    """The style of stdout, for a value of --color."""
    terminal = sys.stdout.isatty()
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    wanted = colour == "always" or (colour == "auto" and terminal and not plain)
    return Style(colour=wanted, width=columns())


def error_style() -> Style:
    """The style of findings on stderr, next to an answer: without colours."""
    return Style(width=columns(sys.stderr))


def columns(stream: TextIO | None = None) -> int:
    """How many columns stdout, or another stream, has; 0 if it is not a terminal."""
    shown = stream or sys.stdout
    if not shown.isatty():
        return 0
    try:
        return int(os.environ.get("COLUMNS") or 0) or os.get_terminal_size(shown.fileno()).columns
    except (OSError, ValueError):
        return 0
