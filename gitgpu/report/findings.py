"""The findings of a run, and how to show them."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.rule import AnyRule
from gitgpu.source import Span
from gitgpu.spelling import count_text


class Findings(NamedTuple):
    """The faults of one run, with what is needed to report them.

    `sources` has the text of each file that was read; `rules` are the rules that codes may refer to, by code; `skipped`
    is the number of objects that were not checked; `left_out` are findings that are counted but not shown.
    """

    diagnostics: tuple[Diagnostic, ...]
    files: int = 0
    objects: int = 0
    sources: Mapping[str, str] = {}
    rules: Callable[[], Mapping[str, AnyRule]] = dict
    skipped: int = 0
    left_out: tuple[Diagnostic, ...] = ()

    def title(self, code: str) -> str:
        """What a rule forbids, in one line; "" if the code is not that of a rule."""
        rules = self.rules()
        return rules[code].summary if code in rules else ""

    def number_of(self, severity: Severity) -> int:
        """How many faults have this severity."""
        return sum(1 for diagnostic in (*self.diagnostics, *self.left_out) if diagnostic.severity is severity)

    def limit(self, maximum: int) -> "Findings":
        """The same findings, but at most `maximum`: the worst ones, in their order; 0 shows all."""
        if not maximum or len(self.diagnostics) <= maximum:
            return self
        # By identity, because two findings can be equal.
        kept = {id(finding) for finding in worst_first(self)[:maximum]}
        shown_diagnostics = tuple(diagnostic for diagnostic in self.diagnostics if id(diagnostic) in kept)
        return self._replace(
            diagnostics=shown_diagnostics,
            left_out=tuple(diagnostic for diagnostic in self.diagnostics if id(diagnostic) not in kept),
        )


class Style(NamedTuple):
    """How to show text: with or without colour, and in how many columns (0 is unknown)."""

    colour: bool = False
    width: int = 0


def place(span: Span) -> str:
    """`file:line:column`, or only the file if the fault has no line; empty if it has no file either."""
    return str(span) if span.line else span.file


def worst_first(findings: Findings) -> tuple[Diagnostic, ...]:
    """Errors, then warnings, then infos; within a severity, the order does not change."""
    ranks = tuple(Severity)
    return tuple(sorted(findings.diagnostics, key=lambda diagnostic: ranks.index(diagnostic.severity)))


def scope(findings: Findings) -> str:
    """What was checked: `5 objects in 2 files`."""
    return f"{count_text(findings.objects, 'object')} in {count_text(findings.files, 'file')}"


def summary_line(findings: Findings) -> str:
    """`Summary: 5 objects in 2 files - 1 error, 2 warnings`. Infos are mentioned only if there are any."""
    counts = [(findings.number_of(severity), severity) for severity in Severity]
    parts = [
        count_text(number, severity.value) for number, severity in counts if number or severity is not Severity.INFO
    ]
    skipped = f", {findings.skipped:,} skipped" if findings.skipped else ""
    return f"Summary: {scope(findings)} - {', '.join(parts)}{skipped}"
