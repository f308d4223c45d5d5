"""For pull requests: a table that fits into a comment or a job summary."""

from gitgpu.diagnostic import Diagnostic
from gitgpu.report.findings import Findings, Style, place, scope, summary_line, worst_first
from gitgpu.report.format import Format
from gitgpu.report.markdown_text import cell

_MAX_ROWS = 100  # the limit of a GitHub comment is 65,536 characters


def _render(findings: Findings, _style: Style) -> str:
    if not findings.diagnostics:
        return f"**All clear:** {scope(findings)}, no findings.\n"
    rows = [_row(diagnostic) for diagnostic in worst_first(findings)[:_MAX_ROWS]]
    left_out = len(findings.diagnostics) + len(findings.left_out) - len(rows)
    more = ["", f"... and {left_out} more."] if left_out else []
    head = [f"**{summary_line(findings)}**", "", "| severity | where | what | do |", "| --- | --- | --- | --- |"]
    return "".join(f"{line}\n" for line in head + rows + more)


def _row(diagnostic: Diagnostic) -> str:
    what = f"`{diagnostic.code}` {cell(diagnostic.message)}"
    cells = (diagnostic.severity.value, cell(place(diagnostic.span)), what, cell(diagnostic.help))
    return f"| {' | '.join(cells)} |"


FORMAT = Format("markdown", _render)
