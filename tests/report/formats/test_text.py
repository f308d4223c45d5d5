"""The text output."""

import re

from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style
from gitgpu.report.terminal import width
from gitgpu.source import Span
from tests.helping.cases import for_each

ANSI = re.compile("\x1b\\[[0-9;]*m")


def shown(line: str, column: int, columns: int = 0) -> tuple[str, int]:
    """The excerpt of a one-line file, and the column of the caret."""
    fault = Diagnostic("A1", Severity.ERROR, "m", "", Span("a.yaml", 1, column))
    text = render(Findings((fault,), 1, 1, {"a.yaml": line}), "text", Style(colour=False, width=columns))
    _, excerpt, caret = text.splitlines()
    return excerpt.removeprefix("  1 | "), caret.index("^") - len("  1 | ")


@for_each(
    ("line", "column", "below"),
    [
        ("sku: X", 6, "X"),
        ("\tsku:\tX", 7, "X"),
        ("日本: X", 5, "X"),
        ("e\u0301: X", 5, "X"),
        ("\x1b[1m: X", 7, "X"),
        ("X" + "y" * 500, 1, "X"),
        ("y" * 500 + "X", 501, "X"),
        ("日" * 300 + "X" + "本" * 300, 301, "X"),
    ],
)
@for_each("columns", [0, 40, 80])
def test_the_caret_is_below_the_character(line: str, column: int, below: str, columns: int) -> None:
    """Even with tabs, wide characters, combining marks, escapes and cut lines."""
    excerpt, caret = shown(line, column, columns)
    assert below in {sign for at, sign in enumerate(excerpt) if width(excerpt[:at]) == caret}
    assert width(excerpt) <= (columns or 120) - len("  1 | ")


def test_a_long_line_shows_both_sides() -> None:
    """A cut line is marked where it is cut."""
    excerpt, _ = shown("a" * 200 + "X" + "b" * 200, 201)
    assert excerpt.startswith("...a")
    assert excerpt.endswith("b...")


def test_lines_are_counted_as_yaml_counts_them() -> None:
    """A form feed does not end a line, a lone carriage return does."""
    fault = Diagnostic("A1", Severity.ERROR, "m", "", Span("a.yaml", 3, 1))
    findings = Findings((fault,), 1, 1, {"a.yaml": "one\x0cstill one\rtwo\r\nthree"})
    assert "  3 | three\n" in render(findings, "text", Style())


def test_colour(tricky: Findings, snapshot: SnapshotAssertion) -> None:
    """Colour adds escape codes and does not change the text."""
    coloured = render(tricky, "text", Style(colour=True))
    assert ANSI.sub("", coloured) == render(tricky, "text", Style(colour=False))
    assert coloured.split("\n\n")[2] == snapshot


def test_quoted_text_cannot_act_on_the_terminal(tricky: Findings) -> None:
    """No escape sequence in a document reaches the terminal."""
    assert "\x1b" not in render(tricky, "text", Style(colour=False))
