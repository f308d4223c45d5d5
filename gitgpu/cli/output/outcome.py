"""Writes findings to stdout and the summary to stderr, and determines the exit code."""

from gitgpu.cli.output.shown_paths import with_shown_paths
from gitgpu.cli.output.streams import note, say, send
from gitgpu.cli.settings import MAX_SHOWN
from gitgpu.diagnostic import Severity, errors
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style, summary_line

COULD_NOT_RUN = 2
COUNTED = {"error": 0, "warning": 1, "info": 2, "never": -1}  # the last index in Severity that fails the run
FOR_PEOPLE = ("text", "markdown")
INCOMPLETE = ("INP", "INT")  # prefixes of codes: input that could not be read at all, and rules that failed
UNWRITTEN = ("OUT00", "OUT011")  # prefixes of codes: the output directory was not changed


def write_findings(
    findings: Findings, output_format: str, style: Style, maximum: int = MAX_SHOWN, *, has_fix: bool = False
) -> None:
    """Writes the findings, at most `maximum` of them. Formats other than text are written even if there are none.

    With `has_fix`, the command has --fix, and the summary says how many findings it corrects.
    """
    findings = with_shown_paths(findings.limit(maximum), output_format)
    if output_format != "text" or findings.diagnostics:
        text = render(findings, output_format, style)
        say(text, colour=style.colour) if output_format in FOR_PEOPLE else send(text)
    fixable = sum(finding.edit is not None for finding in (*findings.diagnostics, *findings.left_out))
    note(summary_line(findings) + (f" ({fixable:,} fixable with --fix)" if has_fix and fixable else ""))
    if findings.left_out:
        total = len(findings.diagnostics) + len(findings.left_out)
        note(f"{len(findings.diagnostics):,} of {total:,} findings are shown; --max-findings 0 shows all")


def exit_code(findings: Findings, fail_on: str) -> int:
    """2 if the run is incomplete, 1 if the output was not written or a finding is as severe as `fail_on`, else 0."""
    if any(diagnostic.code.startswith(INCOMPLETE) for diagnostic in findings.diagnostics):
        return COULD_NOT_RUN
    if any(error.code.startswith(UNWRITTEN) for error in errors(findings.diagnostics)):
        return 1
    order = tuple(Severity)
    return int(any(order.index(diagnostic.severity) <= COUNTED[fail_on] for diagnostic in findings.diagnostics))
