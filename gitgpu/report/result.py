"""A finding in the form of reports for programs."""

from typing import Any

from gitgpu.diagnostic import Diagnostic
from gitgpu.report.long_values import shorten


def result(diagnostic: Diagnostic) -> dict[str, Any]:
    """The keys of `result` in schemas/report.schema.json."""
    diagnostic = shorten(diagnostic)
    span = diagnostic.span
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "file": span.file,
        "line": span.line or None,
        "column": span.column if span.line else None,
        "pointer": diagnostic.pointer,
        "object": diagnostic.object._asdict(),
    }
