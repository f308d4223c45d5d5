"""What an import prints, and its exit code."""

from collections.abc import Sequence

from gitgpu.cli.import_.arguments import Arguments
from gitgpu.cli.output.outcome import COULD_NOT_RUN
from gitgpu.cli.output.refusal import JSON, UnreadableError, refuse_files
from gitgpu.cli.output.streams import say, show
from gitgpu.diagnostic import Diagnostic, errors
from gitgpu.report.findings import place
from gitgpu.report.import_formats import render_import
from gitgpu.report.imported import ImportReport, contents, findings_once
from gitgpu.report.terminal import encodable, printable
from gitgpu.spelling import count_text


def write_report(report: ImportReport, arguments: Arguments) -> None:
    """Writes the report to stdout, and the findings of a report for people to stderr."""
    output_format, style = arguments.output_format, arguments.style
    for fault, others in findings_once(report.findings) if output_format != JSON else ():
        more = f" (and {count_text(others, 'other place')})" if others else ""
        say(f"{place(fault.span)}: {fault.code}: {printable(fault.message)}{more}; {printable(fault.help)}\n", err=True)
    if output_format == "text":
        say(encodable(contents(report, style)), colour=style.colour)  # with `show`, lines would be broken
    show(render_import(report, output_format, style), output_format, style)


def exit_code(report: ImportReport) -> int:
    """0 if everything about GPUs is in the fleet and no node is replaced, else 1."""
    return int(report.incomplete or bool(errors(report.findings)))


def refuse(faults: Sequence[Diagnostic], output_format: str) -> int:
    """Reports why there is no fleet or verdict. Returns the exit code. Raises UnreadableError without an error."""
    if not errors(faults):
        raise UnreadableError("nothing to import: the input contains no object of a cluster", faults)
    refuse_files(faults, output_format)
    return COULD_NOT_RUN
