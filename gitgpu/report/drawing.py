"""A picture."""

from collections.abc import Sequence

from gitgpu.simulate.outcome import Forecast


def page(found: Sequence[Forecast]) -> str:
    """A page."""
    return str(found)
