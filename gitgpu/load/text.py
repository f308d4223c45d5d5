"""A text file, and faults about it."""

from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.source import Span


class Text(NamedTuple):
    """The content of a file. `name` is shown to users; `label` is shown in generated headers, and never absolute."""

    name: str
    content: str
    label: str


def fault(code: str, message: str, remedy: str, span: Span) -> Diagnostic:
    """An error about the text itself."""
    return Diagnostic(code, Severity.ERROR, message, remedy, span)
