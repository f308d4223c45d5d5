"""What a run found, and how it is to be shown."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.rule import AnyRule
from gitgpu.source import Span
from gitgpu.spelling import counted


class Findings(NamedTuple):
    """The faults of one run, with what is needed to report them.

    `sources` gives the text of each file that was read; `rules` are those that codes may name, by code;
    `skipped` counts what was passed over unchecked; `left_out` are findings that are counted and not shown.
    """

    diagnostics: tuple[Diagnostic, ...]
    files: int
    objects: int
    sources: Mapping[str, str] = {}
    rules: Callable[[], Mapping[str, AnyRule]] = dict
    skipped: int = 0
    left_out: tuple[Diagnostic, ...] = ()

    def title(self, code: str) -> str:
        """What a code forbids, in one line; "" for a fault that is not from a rule."""
        rules = self.rules()
        return rules[code].summary if code in rules else ""

    def number_of(self, severity: Severity) -> int:
        """How many faults have this severity."""
        return sum(1 for diagnostic in (*self.diagnostics, *self.left_out) if diagnostic.severity is severity)

    def limited(self, most: int) -> "Findings":
        """The same with the worst of its findings, so many of them at most and in their order; 0 shows all."""
        if not most or len(self.diagnostics) <= most:
            return self
        kept = {id(finding) for finding in worst_first(self)[:most]}
        shown = tuple(diagnostic for diagnostic in self.diagnostics if id(diagnostic) in kept)
        return self._replace(
            diagnostics=shown,
            left_out=tuple(diagnostic for diagnostic in self.diagnostics if id(diagnostic) not in kept),
        )


class Style(NamedTuple):
    """How the reader sees text: with colour or not, and in how many columns (0 is unknown)."""

    colour: bool = False
    width: int = 0


def place(span: Span) -> str:
    """`file:line:column`, or just the file where the fault has no line; empty where it has no file either."""
    return str(span) if span.line else span.file


def worst_first(findings: Findings) -> tuple[Diagnostic, ...]:
    """Errors, then warnings, then infos; within one severity the order stays."""
    ranks = tuple(Severity)
    return tuple(sorted(findings.diagnostics, key=lambda diagnostic: ranks.index(diagnostic.severity)))


def scope(findings: Findings) -> str:
    """What was looked at: `5 objects in 2 files`."""
    return f"{counted(findings.objects, 'object')} in {counted(findings.files, 'file')}"


def summary_line(findings: Findings) -> str:
    """`Summary: 5 objects in 2 files - 1 error, 2 warnings`; infos are named only when there are some."""
    counts = [(findings.number_of(severity), severity) for severity in Severity]
    parts = [counted(number, severity.value) for number, severity in counts if number or severity is not Severity.INFO]
    skipped = f", {findings.skipped} skipped" if findings.skipped else ""
    return f"Summary: {scope(findings)} - {', '.join(parts)}{skipped}"
