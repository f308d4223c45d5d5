"""Findings as log commands of Azure Pipelines."""

from gitgpu.diagnostic import Severity
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style

START = "##vso[task.logissue "


def unescaped(text: str) -> str:
    """Reverses the escaping; the percent sign comes last."""
    for code, sign in (("%0D", "\r"), ("%0A", "\n"), ("%5D", "]"), ("%3B", ";"), ("%AZP25", "%")):
        text = text.replace(code, sign)
    return text


def issue(line: str) -> tuple[dict[str, str], str]:
    """A line parsed as in Azure Pipelines: up to the first bracket, at each semicolon, at the first equals sign."""
    given, data = line.removeprefix(START).split("]", 1)
    pairs = (pair.split("=", 1) for pair in given.split(";") if pair)
    return {key: unescaped(value) for key, value in pairs}, unescaped(data)


def lines(findings: Findings) -> list[str]:
    """The lines of the log."""
    return render(findings, "azure", Style()).split("\n")[:-1]


def test_errors_and_warnings_are_issues(tricky: Findings) -> None:
    """Any name or message is read back unchanged."""
    for line, fault in zip(lines(tricky), tricky.diagnostics, strict=True):
        if fault.severity is Severity.INFO:
            continue
        properties, message = issue(line)
        assert (properties["type"], properties["code"]) == (fault.severity.value, fault.code)
        assert properties.get("sourcepath", "") == fault.span.file
        assert int(properties.get("linenumber", "0")) == fault.span.line
        assert int(properties.get("columnnumber", "0")) == fault.span.column
        assert message == f"{fault.message}\n{fault.help}".rstrip()


def test_an_info_is_a_line_and_no_command(tricky: Findings) -> None:
    """Issues have no lower severity. Azure runs commands anywhere in a line, so it must not contain any."""
    [line] = [line for line in lines(tricky) if not line.startswith(START)]
    assert line.startswith("fleet.yaml:7:9: info[TXT001] ")
    assert "##vso[" not in line
