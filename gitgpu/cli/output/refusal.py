"""Why a command has no result: text on stderr and, with `-o json`, the Findings envelope on stdout."""

from collections.abc import Iterable, Sequence

from gitgpu.cli.output.shown_paths import with_shown_paths
from gitgpu.cli.output.streams import line, say, send
from gitgpu.cli.output.terminal import error_style
from gitgpu.diagnostic import Diagnostic, Severity, in_order
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style
from gitgpu.source import Span

JSON = "json"


class UnreadableError(Exception):
    """A command cannot run because of these faults in files."""

    def __init__(self, message: str, faults: Iterable[Diagnostic]) -> None:
        super().__init__(message)
        self.faults = in_order(faults)


def nameless(code: str, message: str, remedy: str) -> Diagnostic:
    """An error that is not about a file."""
    return Diagnostic(code, Severity.ERROR, message, remedy, Span(""))


def refuse_name(fault: Diagnostic, output_format: str) -> int:
    """Reports an unknown name. Returns the exit code."""
    line(f"gitgpu: {fault.message}; {fault.help}")
    if output_format == JSON:
        send_findings([fault])
    return 1


def refuse_files(faults: Iterable[Diagnostic], output_format: str) -> None:
    """Reports the files that leave a command without a result."""
    ordered = in_order(faults)
    say_findings(ordered)
    if output_format == JSON:
        send_findings(ordered)


def say_findings(diagnostics: Iterable[Diagnostic]) -> None:
    """Writes findings to stderr next to the answer, in the form of a check of a fleet."""
    findings = with_shown_paths(Findings(tuple(diagnostics)))
    say(render(findings, "text", error_style()), err=True)


def send_findings(faults: Sequence[Diagnostic]) -> None:
    """Writes faults in the Findings envelope. They do not come from a check, so nothing is counted."""
    send(render(Findings(tuple(faults)), JSON, Style()))


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether a command line requests JSON, even if click rejects it. The last `-o` counts, as in click."""
    output_format = ""
    words = iter(arguments)
    for word in words:
        if word == "--":
            break
        if word in ("-o", "--output"):
            output_format = next(words, "")
        elif word.startswith("--output="):
            output_format = word.removeprefix("--output=")
        elif word.startswith("-o"):
            output_format = word.removeprefix("-o")
    return output_format == JSON
