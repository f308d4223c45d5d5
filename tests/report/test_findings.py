"""Counts, locations and the summary line."""

import pytest

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.report.findings import Findings, place, summary_line, worst_first
from gitgpu.source import Span


def fault(severity: Severity, line: int = 1) -> Diagnostic:
    """A fault with a severity."""
    return Diagnostic("A1", severity, "message", "help", Span("a.yaml", line, 1))


@pytest.mark.parametrize(
    ("severities", "expected"),
    [
        ("", "Summary: 5 objects in 2 files - 0 errors, 0 warnings"),
        ("EWW", "Summary: 5 objects in 2 files - 1 error, 2 warnings"),
        ("EEI", "Summary: 5 objects in 2 files - 2 errors, 0 warnings, 1 info"),
    ],
)
def test_the_summary_counts(severities: str, expected: str) -> None:
    """Errors and warnings are always shown, infos only if there are any."""
    by_letter = {"E": Severity.ERROR, "W": Severity.WARNING, "I": Severity.INFO}
    faults = tuple(fault(by_letter[letter], line) for line, letter in enumerate(severities, 1))
    assert summary_line(Findings(faults, files=2, objects=5)) == expected


def test_the_singular_is_used_for_one() -> None:
    """`1 object`, not `1 objects`."""
    assert summary_line(Findings((), files=1, objects=1)) == "Summary: 1 object in 1 file - 0 errors, 0 warnings"


@pytest.mark.parametrize(
    ("span", "expected"),
    [(Span("a.yaml", 3, 7), "a.yaml:3:7"), (Span("a.yaml"), "a.yaml"), (Span(""), "")],
)
def test_the_place_of_a_finding(span: Span, expected: str) -> None:
    """An unknown line is omitted."""
    assert place(span) == expected


def test_the_worst_come_first_and_keep_their_order() -> None:
    """If only some can be shown, they are the most severe ones."""
    given = tuple(fault(severity, line) for line in (1, 2) for severity in reversed(Severity))
    ordered = worst_first(Findings(given, 1, 1))
    assert [(each.severity, each.span.line) for each in ordered] == [(s, line) for s in Severity for line in (1, 2)]
