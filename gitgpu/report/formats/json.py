"""For programs: the versioned envelope that schemas/report.schema.json describes."""

from gitgpu.diagnostic import Severity
from gitgpu.report.envelope import envelope
from gitgpu.report.findings import Findings, Style
from gitgpu.report.format import Format
from gitgpu.report.result import result


def _render(findings: Findings, _style: Style) -> str:
    results = [result(diagnostic) for diagnostic in findings.diagnostics]
    return envelope("Findings", {"results": results, "summary": _summary(findings)})


def _summary(findings: Findings) -> dict[str, int]:
    return {
        "errors": findings.number_of(Severity.ERROR),
        "warnings": findings.number_of(Severity.WARNING),
        "infos": findings.number_of(Severity.INFO),
        "files": findings.files,
        "objects": findings.objects,
        "skipped": findings.skipped,
        "truncated": len(findings.left_out),
    }


FORMAT = Format("json", _render)
