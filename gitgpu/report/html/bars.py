"""Bars of several parts, as wide as their column; idle parts are hatched."""

from collections.abc import Sequence
from typing import NamedTuple

from gitgpu.report.html.markup import escape

IDLE, USED = "idle", "used"
_HEIGHT = 16  # pixels


class Part(NamedTuple):
    """A part of a bar: its look, a class of the style sheet, and its amount."""

    look: str
    amount: float


def bar(label: str, parts: Sequence[Part], longest: float) -> str:
    """A bar; `longest` is the amount of one that fills the column. The label is its text for screen readers."""
    if longest <= 0:
        return ""
    shapes, start = "", 0.0
    for part in parts:
        width = 100 * part.amount / longest
        if width > 0:
            shapes += f'<rect x="{start:.2f}%" width="{width:.2f}%" height="{_HEIGHT}" class="{part.look}"/>'
            start += width
    return f'<svg class="bar" role="img" width="100%" height="{_HEIGHT}"><title>{escape(label)}</title>{shapes}</svg>'
