"""Turns findings into text: for a person, a pipeline, a pull request or a program.

All text for users comes from here. Earlier stages return values (`Diagnostic`), and the caller prints the text, so
nothing here reads a file, knows an option or decides an exit code.

Each module of `formats/` is an output format and exports `FORMAT`; its file name is the name that users write. A new
module is found automatically, and only the chosen one is imported. `summary_line` in `findings` is the last line,
`table` aligns columns.
"""

from gitgpu import registry
from gitgpu.load.secret_values import conceal, mask
from gitgpu.report import formats
from gitgpu.report.findings import Findings, Style
from gitgpu.report.format import Format
from gitgpu.report.long_values import shorten
from gitgpu.report.terminal import encodable


def format_names() -> tuple[str, ...]:
    """The available formats, sorted; none of them is imported."""
    return registry.names(formats)


def render(findings: Findings, format_name: str, style: Style) -> str:
    """The findings as text in one of `format_names()`."""
    sources = findings.sources
    named = {diagnostic.span.file for diagnostic in findings.diagnostics}
    shown = findings._replace(
        diagnostics=tuple(map(shorten, conceal(findings.diagnostics, sources))),
        sources={file: mask(text) if file in named else text for file, text in sources.items()},
    )
    return encodable(registry.load(formats, format_name, "FORMAT", Format).render(shown, style))
