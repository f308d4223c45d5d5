"""Report turns findings into words: for a person, a pipeline, a pull request or a program.

It is the one place that speaks to people. The stages before it hand over values (`Diagnostic`) and the caller prints
what comes back, so nothing here reads a file, knows an option or decides an exit code.

Each module of `formats/` is one way of saying it and exports `FORMAT`; its file name is the name users give. Drop a
module in and it is offered; only the one that is asked for is imported. `summary_line` in `findings` is the closing
sentence, `table` lays out lists.
"""

from gitgpu import registry
from gitgpu.report import formats
from gitgpu.report.findings import Findings, Style
from gitgpu.report.format import Format


def format_names() -> tuple[str, ...]:
    """The formats there are, sorted; none of them is imported."""
    return registry.names(formats)


def render(findings: Findings, format_name: str, style: Style) -> str:
    """The findings as text in one of `format_names()`."""
    text = registry.load(formats, format_name, "FORMAT", Format).render(findings, style)
    # JSON input can hold half a surrogate pair, which no encoding can write: spell it out as JSON itself would.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
