"""What a format is: a name, and a function from findings to text."""

from collections.abc import Callable
from typing import NamedTuple

from gitgpu.report.findings import Findings, Style


class Format(NamedTuple):
    """An output format of findings. Text that is not empty ends with a line break."""

    name: str
    render: Callable[[Findings, Style], str]
