"""Templates in a directory, reported once for each Helm chart, and once for each folder outside of charts."""

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.objects.loaded import ManifestFile
from gitgpu.source import Span

CHART = "Chart.yaml"


def chart_of(file: str, charts: Collection[str]) -> str | None:
    """The folder of the outermost chart that a file is a template of; None if it is not a template of a chart."""
    parts = file.split("/")
    for index in range(len(parts)):
        folder, inside = "/".join(parts[:index]), parts[index:]
        while inside[:1] == ["charts"]:  # charts inside a chart are rendered with it
            inside = inside[2:]
        if folder in charts and inside[:1] == ["templates"] and len(inside) > 1:
            return folder
    return None


def charts_of(files: Iterable[str]) -> frozenset[str]:
    """The folders with charts among these files."""
    return frozenset(posixpath.dirname(file) for file in files if posixpath.basename(file) == CHART)


def unrendered_notes(
    files: Mapping[str, ManifestFile], charts: Collection[str], verbs: tuple[str, str] = ("check", "lint")
) -> Iterator[Diagnostic]:
    """A note for each chart and each other folder with templates. `verbs` are what was not done, and its command."""
    verb, command = verbs
    chart_spans, folder_spans = _templates(files, charts)
    for chart, spans in chart_spans.items():
        remedy = f"`helm template {chart or '.'} | gitgpu {command} -` {verb}s the result"
        yield _note(
            _were(spans, f"of the chart {chart or '.'}", verb), Span(posixpath.join(chart, CHART), 1, 1), remedy
        )
    for folder, spans in folder_spans.items():
        remedy = f"replace them, for example with `envsubst`, and {command} the result"
        yield _note(_were(spans, f"in {folder or '.'}", verb), spans[0], remedy)


def _templates(
    files: Mapping[str, ManifestFile], charts: Collection[str]
) -> tuple[dict[str, list[Span]], dict[str, list[Span]]]:
    """The places of the templates of each chart, and of those in each other folder."""
    chart_spans: dict[str, list[Span]] = {}
    folder_spans: dict[str, list[Span]] = {}
    for file, span in sorted((name, read.template) for name, read in files.items() if read.template):
        chart = chart_of(file, charts)
        if chart is None:
            folder_spans.setdefault(posixpath.dirname(file), []).append(span)
        else:
            chart_spans.setdefault(chart, []).append(span)
    return chart_spans, folder_spans


def _were(spans: list[Span], where: str, verb: str) -> str:
    count = f"{len(spans)} templates {where} were" if len(spans) > 1 else f"1 template {where} was"
    return f"{count} not {'read' if verb == 'read' else f'{verb}ed'}"


def _note(message: str, place: Span, remedy: str) -> Diagnostic:
    return Diagnostic("LNT001", Severity.INFO, message, remedy, place)
