"""Faults of files in the output directory."""

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.source import Span


def fault(code: str, path: str, message: str, remedy: str) -> Diagnostic:
    """A fault of a whole file; bytes of its name that are not UTF-8 are escaped."""
    shown = path.encode(errors="backslashreplace").decode()
    return Diagnostic(code, Severity.ERROR, message, remedy, Span(shown))
