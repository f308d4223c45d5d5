"""Faults of files in the output directory."""

from collections.abc import Sequence

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.source import Span
from gitgpu.spelling import MAX_LISTED, comma_separated


def fault(code: str, path: str, message: str, remedy: str) -> Diagnostic:
    """A fault of a whole file; bytes of its name that are not UTF-8 are escaped."""
    shown = path.encode(errors="backslashreplace").decode()
    return Diagnostic(code, Severity.ERROR, message, remedy, Span(shown))


def already_there(paths: Sequence[str], remedy: str) -> tuple[Diagnostic, ...]:
    """One fault for all files that exist already; none without files."""
    if not paths:
        return ()
    first, *others = paths
    also = f" (also {comma_separated(others, MAX_LISTED)})" if others else ""
    return (fault("OUT005", first, f"already exists{also}", remedy),)
