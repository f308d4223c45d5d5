"""For programs: the versioned envelope that schemas/report.schema.json describes."""

from typing import Any

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.report.envelope import envelope
from gitgpu.report.findings import Findings, Style
from gitgpu.report.format import Format


def _render(findings: Findings, _style: Style) -> str:
    results = [_result(diagnostic) for diagnostic in findings.diagnostics]
    return envelope("Findings", {"results": results, "summary": _summary(findings)})


def _result(diagnostic: Diagnostic) -> dict[str, Any]:
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


def _summary(findings: Findings) -> dict[str, int]:
    return {
        "errors": findings.count(Severity.ERROR),
        "warnings": findings.count(Severity.WARNING),
        "infos": findings.count(Severity.INFO),
        "files": findings.files,
        "objects": findings.objects,
        "skipped": findings.skipped,
        "truncated": len(findings.left_out),
    }


FORMAT = Format("json", _render)
