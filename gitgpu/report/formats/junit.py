"""For test dashboards: JUnit XML, where each file is a test case and its errors are the failure."""

from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as ET

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.report.findings import Findings, Style, place
from gitgpu.report.format import Format
from gitgpu.report.terminal import fold, printable, safe

_NO_FILE = "(no file)"


def _render(findings: Findings, _style: Style) -> str:
    # A file without findings is a test that passes.
    by_file: dict[str, list[Diagnostic]] = {file: [] for file in sorted(findings.sources)}
    for diagnostic in findings.diagnostics:
        by_file.setdefault(diagnostic.span.file, []).append(diagnostic)
    cases = [_case(file, in_file) for file, in_file in by_file.items()]
    failed = sum(1 for case in cases if case.find("failure") is not None)
    totals = {"tests": str(len(cases)), "failures": str(failed), "errors": "0", "time": "0"}
    root = ET.Element("testsuites", {"name": "gitgpu", **totals})
    suite = ET.SubElement(root, "testsuite", {"name": "gitgpu", **totals, "skipped": "0"})
    suite.extend(cases)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _case(file: str, findings: Sequence[Diagnostic]) -> ET.Element:
    case = ET.Element("testcase", {"classname": "gitgpu", "name": _clean(file or _NO_FILE), "time": "0"})
    errors = [diagnostic for diagnostic in findings if diagnostic.severity is Severity.ERROR]
    milder = [diagnostic for diagnostic in findings if diagnostic.severity is not Severity.ERROR]
    if errors:
        # Many readers look only at the first failure, so one element contains every error.
        first, *others = errors
        more = f" (and {len(others)} more)" if others else ""
        heading = {"type": first.code, "message": _clean(first.message) + more}
        ET.SubElement(case, "failure", heading).text = _messages(errors)
    if milder:
        ET.SubElement(case, "system-out").text = _messages(milder)
    return case


def _messages(diagnostics: Iterable[Diagnostic]) -> str:
    return _clean("\n".join(map(_sentence, diagnostics)))


def _sentence(diagnostic: Diagnostic) -> str:
    where = printable(place(diagnostic.span))
    start = f"{where}: " if where else ""
    remedy = f"\n  help: {fold(diagnostic.help)}" if diagnostic.help else ""
    return f"{start}{diagnostic.severity.value}[{diagnostic.code}] {fold(diagnostic.message)}{remedy}"


def _clean(text: str) -> str:
    return safe(text)


FORMAT = Format("junit", _render)
