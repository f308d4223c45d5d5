"""The Markdown report for pull requests."""

import re

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style, summary_line
from gitgpu.source import Span

CELL = re.compile(r"(?<!\\)\|")


def test_every_row_has_four_cells(tricky: Findings) -> None:
    """A pipe or a line break in a message does not break the table."""
    head, blank, *rows = render(tricky, "markdown", Style()).splitlines()
    assert (head, blank) == (f"**{summary_line(tricky)}**", "")
    assert len(rows) == len(tricky.diagnostics) + 2
    assert all(len(CELL.split(row)) == 6 for row in rows)


def test_special_characters_are_escaped(tricky: Findings) -> None:
    """Quoted text does not become a tag, a link, code or emphasis."""
    text = render(tricky, "markdown", Style())
    assert r"\`d\` \[e\](f) 50%; \] &lt;g&gt; \& \*h\*" in text
    assert r"Take \`Standard\_NC4as\_T4\_v3\`,<br>or ask" in text


def test_a_clean_run_is_one_line(empty: Findings) -> None:
    """Without findings, the report is a single line."""
    assert render(empty, "markdown", Style()) == "**All clear:** 4 objects in 1 file, no findings.\n"


def test_a_comment_stays_short_enough() -> None:
    """The hundred most severe findings are shown, and the rest is counted."""
    faults = [Diagnostic("A1", Severity.WARNING, "m", "h", Span("a.yaml", line, 1)) for line in range(1, 131)]
    faults.append(faults[0]._replace(severity=Severity.ERROR))
    text = render(Findings(tuple(faults), 1, 1), "markdown", Style())
    assert text.count("\n| error") == 1
    assert text.endswith("\n\n... and 31 more.\n")
