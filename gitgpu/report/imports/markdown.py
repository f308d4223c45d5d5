"""For pull requests and tickets: a table of the proof, followed by what is not in the fleet."""

from collections.abc import Iterable, Iterator

from gitgpu.adopt.adoption import Fate, Inferred
from gitgpu.report.findings import Style, place
from gitgpu.report.imported import (
    ImportFormat,
    ImportReport,
    Reported,
    headline,
    objects_left,
    skipped_lines,
)
from gitgpu.report.imported_software import software_lines
from gitgpu.report.markdown_text import cell

_SOFTWARE = {"keep": "unchanged", "change": "**changes**", "unknown": "unknown"}
_WORDS = {"keep": "not replaced", "replace": "**replaced**", "unknown": "unknown"}


def _render(report: ImportReport, _style: Style) -> str:
    lines = [f"**gitgpu import: {cell(headline(report))}**", ""]
    if report.verdicts:
        head = ["| cluster | pool | nodes | software | why |", "| --- | --- | --- | --- | --- |"]
        lines += [*head, *_verdicts(report), ""]
    lines += _section("Fill in", list(_inferred(report.missing)))
    lines += _section("Replaced: remove these", list(_replaced(report)))
    lines += _section("Not adopted", list(_outcomes(report.of(Fate.INEXPRESSIBLE))))
    changes = list(software_lines(report.software))
    lines += _section("The first build changes", [*changes, *_outcomes(report.changes)])
    lines += _section("Existing errors", list(_outcomes(report.of(Fate.WRONG))))
    lines += _section("Inferred", [*_outcomes(report.of(Fate.INFERRED)), *_inferred(report.evident)])
    left = [f"{what}: {reason}" for what, reason in objects_left(report.of(Fate.LEFT))]
    left += skipped_lines(report.skipped)
    lines += _section("Not managed by gitgpu", left)
    lines += _section("Files", list(report.written))
    return "".join(f"{line}\n" for line in lines)


def _verdicts(report: ImportReport) -> Iterator[str]:
    for verdict in report.verdicts:
        why = "" if verdict.word == "keep" else verdict.reason
        names = f"{cell(verdict.cluster)} | {cell(verdict.change.name)}"
        software = "" if verdict.is_new or verdict.word == "replace" else _SOFTWARE[report.software_of(verdict)]
        yield f"| {names} | {_WORDS[verdict.word]} | {software} | {cell(why)} |"


def _outcomes(reported: list[Reported]) -> Iterator[str]:
    for line in reported:
        field = f" {line.field}" if line.field else ""
        yield f"{place(line.place)}: {line.outcome.observed.name}{field}: {line.outcome.reason}"


def _replaced(report: ImportReport) -> Iterator[str]:
    for entry in report.replaced:
        steps = "; ".join(f"{number}. {step}" for number, step in enumerate(entry.steps, 1))
        yield f"{place(entry.observed.places.span())}: {entry.observed.name}: {entry.by} takes its place: {steps}"


def _inferred(values: Iterable[Inferred]) -> Iterator[str]:
    for value in values:
        yield f"{' '.join(value.document)} {'.'.join(value.key)}: {value.reason}"


def _section(title: str, lines: list[str]) -> list[str]:
    if not lines:
        return []
    entries = [f"- {cell(line)}" for line in dict.fromkeys(lines)]
    return [f"### {title}", "", *entries, ""]


FORMAT = ImportFormat("markdown", _render)
