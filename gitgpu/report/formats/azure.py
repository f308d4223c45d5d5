"""For Azure Pipelines: logging commands, which become the errors and warnings of a run."""

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.report.findings import Findings, Style, place
from gitgpu.report.format import Format
from gitgpu.report.terminal import printable, safe


def _render(findings: Findings, _style: Style) -> str:
    return "".join(f"{_line(diagnostic)}\n" for diagnostic in findings.diagnostics)


def _line(diagnostic: Diagnostic) -> str:
    # There is no issue type below a warning, so an info is a plain line of the log.
    return _plain(diagnostic) if diagnostic.severity is Severity.INFO else _issue(diagnostic)


def _issue(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    line, column = (str(span.line), str(span.column)) if span.line else ("", "")
    properties = {
        "type": diagnostic.severity.value,
        "sourcepath": span.file,
        "linenumber": line,
        "columnnumber": column,
        "code": diagnostic.code,
    }
    written = "".join(f"{name}={_property(value)};" for name, value in properties.items() if value)
    message = f"{diagnostic.message}\n{diagnostic.help}".rstrip("\n")
    return f"##vso[task.logissue {written}]{_data(message)}"


def _plain(diagnostic: Diagnostic) -> str:
    where = place(diagnostic.span)
    remedy = f"; help: {diagnostic.help}" if diagnostic.help else ""
    text = f"{where + ': ' if where else ''}info[{diagnostic.code}] {diagnostic.message}{remedy}"
    # A pipeline executes a command anywhere in a line; quoted text must not become a command.
    return safe(printable(" ".join(text.split())))


# The escapes that the agent decodes in logging commands; its escape for a percent sign is unusual.
def _data(text: str) -> str:
    return safe(text).replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace("]", "%5D").replace(";", "%3B")


FORMAT = Format("azure", _render)
