"""Why a command has no answer: lines for people on stderr and, with `-o json`, the Findings envelope on stdout."""

from collections.abc import Iterable, Sequence

from gitgpu.cli.output.shown_paths import shown
from gitgpu.cli.output.streams import line, say, send
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
    """An error that is not in a file."""
    return Diagnostic(code, Severity.ERROR, message, remedy, Span("", 0, 0))


def refuse_name(fault: Diagnostic, form: str) -> int:
    """Reports an unknown name; the exit code."""
    line(f"gitgpu: {fault.message}; {fault.help}")
    if form == JSON:
        send_findings([fault])
    return 1


def refuse_files(faults: Iterable[Diagnostic], form: str) -> None:
    """Reports the files that leave a command without an answer."""
    ordered = in_order(faults)
    say_findings(ordered)
    if form == JSON:
        send_findings(ordered)


def say_findings(diagnostics: Iterable[Diagnostic]) -> None:
    """Findings beside the answer on stderr, as a check of a fleet writes them."""
    findings = shown(Findings(tuple(diagnostics), 0, 0), "text")
    say(render(findings, "text", Style()), err=True)


def send_findings(faults: Sequence[Diagnostic]) -> None:
    """The Findings envelope of faults, which are not the result of a check: nothing was counted."""
    send(render(Findings(tuple(faults), 0, 0), JSON, Style()))


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether a command line asks for JSON, also one that click rejects. The last `-o` counts, as for click."""
    form = ""
    words = iter(arguments)
    for word in words:
        if word == "--":
            break
        if word in ("-o", "--output"):
            form = next(words, "")
        elif word.startswith("--output="):
            form = word.removeprefix("--output=")
        elif word.startswith("-o"):
            form = word.removeprefix("-o")
    return form == JSON
