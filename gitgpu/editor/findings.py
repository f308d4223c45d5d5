"""Findings as an editor shows them: with a range, a link to the page of the rule, and what they are about."""

import re
from collections.abc import Iterable, Iterator, Mapping

from lsprotocol.types import (
    CodeDescription,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    Range,
)

from gitgpu.diagnostic import Diagnostic as Finding
from gitgpu.diagnostic import Severity
from gitgpu.editor.files import Files
from gitgpu.editor.names import Name, names
from gitgpu.report.reference.pages import page_of
from gitgpu.report.terminal import printable

SOURCE = "gitgpu"
_SEVERITIES = {
    Severity.ERROR: DiagnosticSeverity.Error,
    Severity.WARNING: DiagnosticSeverity.Warning,
    Severity.INFO: DiagnosticSeverity.Information,
}
# A quoted scalar on one line, or the characters up to a comment, the colon of a key, or the end of a value in brackets.
_QUOTED = r""""(?:[^"\\\r\n]|\\.)*"|'(?:[^'\r\n]|'')*'"""
_TOKEN = re.compile(_QUOTED + r"|[\[\]{}]|(?:(?!:(?:\s|$)|[ \t]+(?:#|$)|[,\[\]{}\r\n]).)+")


def by_file(findings: Iterable[Finding], files: Files) -> Mapping[str, list[Diagnostic]]:
    """The findings of each file, as an editor shows them. Those without a file are about the command line."""
    definitions: dict[tuple[str, str], Name] = {}
    for name in names(files.texts):
        if name.defines:
            definitions.setdefault((name.kind, name.name), name)
    used = {(name.file, name.start): name for name in names(files.texts)}
    shown: dict[str, list[Diagnostic]] = {}
    for finding in findings:
        related = list(_related(finding, files, used, definitions))
        if finding.span.file:
            shown.setdefault(finding.span.file, []).append(_shown(finding, files, related))
    return shown


def range_of(finding: Finding, files: Files) -> Range:
    """The value or key that a finding is about: from its place to the end of the word there."""
    positions = files.positions(finding.span.file)
    start = positions.place(finding.span)
    token = _TOKEN.match(positions.content, start)
    return positions.range(start, token.end() if token else start)


def _shown(finding: Finding, files: Files, related: list[DiagnosticRelatedInformation]) -> Diagnostic:
    return Diagnostic(
        range=range_of(finding, files),
        message=printable(f"{finding.message}; {finding.help}" if finding.help else finding.message),
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=CodeDescription(page_of(finding.code)),
        source=SOURCE,
        related_information=related,
    )


def _related(
    finding: Finding,
    files: Files,
    used: Mapping[tuple[str, int], Name],
    definitions: Mapping[tuple[str, str], Name],
) -> Iterator[DiagnosticRelatedInformation]:
    """The document that a finding is about, and the document that the name at its place names."""
    place = finding.span.file, files.positions(finding.span.file).place(finding.span)
    about, at_place = definitions.get((finding.object.kind, finding.object.name)), used.get(place)
    named = definitions.get((at_place.kind, at_place.name)) if at_place and not at_place.defines else None
    for name, what in ((about, "in"), (named, "names")):
        if name and (name.file, name.start) != place:
            location = files.location(name.file, name.start, name.end)
            yield DiagnosticRelatedInformation(location, printable(f"{what} {name.kind} {name.name}"))
