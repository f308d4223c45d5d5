"""How the terminal shows text: colour and width."""

import os
import sys

from gitgpu.report.findings import Style


def style_of(colour: str) -> Style:
    """The style of stdout, for a value of --color."""
    terminal = sys.stdout.isatty()
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    wanted = colour == "always" or (colour == "auto" and terminal and not plain)
    return Style(colour=wanted, width=columns())


def columns() -> int:
    """How many columns stdout has; 0 if it is not a terminal."""
    if not sys.stdout.isatty():
        return 0
    from shutil import get_terminal_size  # noqa: PLC0415  loads every compression library; pipes and CI do without

    return get_terminal_size((0, 0)).columns
