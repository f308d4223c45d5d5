"""For GitHub Actions: workflow commands, which become annotations on the lines of a pull request."""

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.report.findings import Findings, Style
from gitgpu.report.format import Format
from gitgpu.report.terminal import safe

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def _render(findings: Findings, _style: Style) -> str:
    return "".join(f"{_command(diagnostic, findings.title(diagnostic.code))}\n" for diagnostic in findings.diagnostics)


def _command(diagnostic: Diagnostic, title: str) -> str:
    span = diagnostic.span
    line, column = (str(span.line), str(span.column)) if span.line else ("", "")
    properties = {
        "file": span.file,
        "line": line,
        "col": column,
        "title": f"{diagnostic.code}: {title}" if title else diagnostic.code,
    }
    written = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
    message = f"{diagnostic.message}\n{diagnostic.help}".rstrip("\n")
    return f"::{_COMMAND[diagnostic.severity]} {written}::{_data(message)}"


# The escapes of escapeData and escapeProperty in actions/toolkit (packages/core/src/command.ts).
def _data(text: str) -> str:
    return safe(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


FORMAT = Format("github", _render)
