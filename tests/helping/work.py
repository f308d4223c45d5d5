"""Counts the work of a function instead of its time, so that a busy machine does not matter."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

TraceFunction = Callable[[FrameType, str, Any], Any]


def lines(function: Callable[[], object]) -> int:
    """The number of lines of Python that run during a call of `function`, in gitgpu and in libraries."""
    counted = 0

    def count(_frame: FrameType, event: str, _argument: Any) -> TraceFunction:
        nonlocal counted
        counted += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        function()
    finally:
        sys.settrace(before)
    return counted
