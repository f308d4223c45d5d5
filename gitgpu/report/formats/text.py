"""For people: the place, what is wrong, the line with a caret below it, and what to do."""

import re
from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.report.findings import Findings, Style, place
from gitgpu.report.format import Format
from gitgpu.report.terminal import fit, fit_lines, fold, paint, printable, width

_LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")  # the line breaks of YAML
_ROOM = 120  # columns of an excerpt if the width of the terminal is unknown
# Red and magenta can be read on a light and on a dark background; yellow, cyan and blue cannot.
_BOLD, _DIM = "1", "2"
_SEVERITY = {Severity.ERROR: "1;31", Severity.WARNING: "1;35", Severity.INFO: "1"}


def _render(findings: Findings, style: Style) -> str:
    # Only files with findings are split into lines: a run may read thousands of others.
    named = {diagnostic.span.file for diagnostic in findings.diagnostics}
    lines = {file: _LINE_BREAK.split(text) for file, text in findings.sources.items() if file in named}
    return "\n".join(
        _fault(diagnostic, lines.get(diagnostic.span.file, ()), style) for diagnostic in findings.diagnostics
    )


def _fault(diagnostic: Diagnostic, lines: Sequence[str], style: Style) -> str:
    parts = (_headline(diagnostic, style), *_excerpt(diagnostic, lines, style), *_help(diagnostic, style))
    return "".join(f"{part}\n" for part in parts)


def _headline(diagnostic: Diagnostic, style: Style) -> str:
    where = printable(place(diagnostic.span))
    start = paint(f"{where}:", _BOLD, colour=style.colour) + " " if where else ""
    severity = paint(diagnostic.severity.value, _SEVERITY[diagnostic.severity], colour=style.colour)
    code = paint(f"[{diagnostic.code}]", _DIM, colour=style.colour)
    return fit_lines(f"{start}{severity}{code} {fold(diagnostic.message)}", style.width)


def _excerpt(diagnostic: Diagnostic, lines: Sequence[str], style: Style) -> Iterator[str]:
    span = diagnostic.span
    if not 1 <= span.line <= len(lines):
        return
    number = str(span.line)
    # At least 20, for terminals that are narrower than that.
    room = max((style.width or _ROOM) - len(number) - len("   | "), 20)
    before, after = _window(lines[span.line - 1], span.column, room)
    caret = paint("^", _SEVERITY[diagnostic.severity], colour=style.colour)
    yield paint(f"  {number} |", _DIM, colour=style.colour) + f" {before}{after}".rstrip()
    yield paint(f"  {' ' * len(number)} |", _DIM, colour=style.colour) + " " * (width(before) + 1) + caret


def _window(line: str, column: int, room: int) -> tuple[str, str]:
    """The parts of a line to show before and from the column: the whole line, or what fits around the column."""
    # Only a part of a long line is measured, because a line can have many findings.
    at, reach = max(column - 1, 0), 4 * room
    before, after = printable(line[max(at - reach, 0) : at]), printable(line[at : at + reach])
    if width(before) + width(after) > room:
        before = fit(before[::-1], max(room // 2, room - width(after)))[::-1]
        after = fit(after, room - width(before))
    return before, after


def _help(diagnostic: Diagnostic, style: Style) -> Iterator[str]:
    if diagnostic.help:
        yield fit_lines(f"  {paint('= help:', _BOLD, colour=style.colour)} {fold(diagnostic.help)}", style.width)


FORMAT = Format("text", _render)
