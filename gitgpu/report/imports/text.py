"""For people at a terminal: the proof first, then what is not in the fleet, then what stays with its owners."""

from collections import Counter
from collections.abc import Iterable, Iterator

from gitgpu.adopt.adoption import Fate, Inferred
from gitgpu.adopt.replaced import Replaced
from gitgpu.report.findings import Style, place
from gitgpu.report.imported import (
    ImportFormat,
    ImportReport,
    Reported,
    adopted_objects,
    headline,
    objects_left,
    scalers_of,
    skipped_lines,
)
from gitgpu.report.imported_software import software_lines
from gitgpu.report.terminal import fit, paint, printable

_ROOM = 1000  # columns: a terminal wraps, and more is not readable
_COLOURS = {"keep": "32", "replace": "1;31", "unknown": "35"}
_SOFTWARE = {"keep": "unchanged", "change": "changes", "unknown": "unknown"}
_WORDS = {"keep": "no node is replaced", "replace": "nodes are replaced", "unknown": "unknown"}


def _render(report: ImportReport, style: Style) -> str:
    lines = [paint(headline(report), "1", colour=style.colour), *_verdicts(report, style)]
    if report.missing:
        lines += ["Fill in:", *_inferred(report.missing)]
    lines += _adopted(report)
    lines += _replaced(report)
    lines += _outcomes("Not adopted:", report.of(Fate.INEXPRESSIBLE))
    lines += _outcomes("Existing errors:", report.of(Fate.WRONG))
    lines += _changes(report)
    lines += _outcomes("Inferred:", report.of(Fate.INFERRED))
    # If outcomes were inferred, the list has its title already.
    if report.evident and not report.of(Fate.INFERRED):
        lines.append("Inferred:")
    lines += _inferred(report.evident)
    left = [f"  {_line(f'{what}: {reason}')}" for what, reason in objects_left(report.of(Fate.LEFT))]
    left += [f"  {_line(line)}" for line in skipped_lines(report.skipped)]
    if left:
        lines += ["Not managed by gitgpu:", *left]
    return "".join(f"{line}\n" for line in lines)


def _verdicts(report: ImportReport, style: Style) -> Iterator[str]:
    for verdict in report.verdicts:
        plain = "new; not running yet" if verdict.is_new else _WORDS[verdict.word]
        word = paint(plain, _COLOURS[verdict.word], colour=style.colour)
        name = f"{printable(verdict.cluster)}/{printable(verdict.change.name)}"
        software = (
            ""
            if verdict.is_new or verdict.word == "replace"
            else f", software {_SOFTWARE[report.software_of(verdict)]}"
        )
        yield f"  {name}: {word}{software}" + ("" if verdict.word == "keep" else f": {_line(verdict.reason)}")


def _changes(report: ImportReport) -> Iterator[str]:
    """The changes of software, then those of fields of other objects."""
    lines = [f"  {_line(line)}" for line in software_lines(report.software)]
    lines += map(_outcome, report.changes)
    if lines:
        yield "The first build changes:"
    yield from dict.fromkeys(lines)


def _adopted(report: ImportReport) -> Iterator[str]:
    adopted, scalers = scalers_of(adopted_objects(report.of(Fate.ADOPTED)))
    if adopted or scalers:
        yield "Adopted:"
    for line in adopted:
        observed, spec = line.outcome.observed, line.spec
        where = f"{spec.file}:{spec.line}" if spec else ""
        yield f"  {_line(f'{place(observed.places.span())}: {observed.name}: {where}')}"
    yield from (f"  {_line(line)}" for line in scalers)


def _replaced(report: ImportReport) -> Iterator[str]:
    if report.replaced:
        yield "Replaced: remove these when you apply the overlays, in this order:"
    times = Counter(map(_replacement, report.replaced))  # a file that several clusters share is shown once
    for (head, *steps), number in times.items():
        yield f"  {_line(head if number == 1 else f'{head}, on each of {number} clusters')}"
        yield from (f"    {step}. {_line(text)}" for step, text in enumerate(steps, 1))


def _replacement(entry: Replaced) -> tuple[str, ...]:
    """The title of what is replaced, and the steps."""
    observed = entry.observed
    return f"{place(observed.places.span())}: {observed.name}: {entry.by} takes its place", *entry.steps


def _outcomes(title: str, reported: list[Reported]) -> Iterator[str]:
    if reported:
        yield title
    yield from dict.fromkeys(map(_outcome, reported))  # several clusters may come from the same file


def _outcome(reported: Reported) -> str:
    field = f" {reported.field}" if reported.field else ""
    text = f"{place(reported.place)}: {reported.outcome.observed.name}{field}: {reported.outcome.reason}"
    return f"  {_line(text)}"


def _inferred(values: Iterable[Inferred]) -> Iterator[str]:
    for value in values:
        kind, name = value.document
        key = ".".join(value.key)
        yield f"  {_line(f'{kind} {name} {key}: {value.reason}')}"


def _line(text: str) -> str:
    return fit(printable(text), _ROOM)


FORMAT = ImportFormat("text", _render)
