"""Converts places of findings in texts that were edited in memory to places in the original files."""

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.text import Text
from gitgpu.source import Span


def before_edits(
    diagnostics: Iterable[Diagnostic], before: Iterable[Text], edited: Mapping[str, Text]
) -> tuple[Diagnostic, ...]:
    """The findings with the lines of the texts before the edits. Findings in other files are unchanged.

    A finding in a changed line gets the line that was there, a finding in an added line the line before it.
    """
    lines = {text.name: _lines(text, edited[text.name]) for text in before if text.name in edited}
    return tuple(
        diagnostic._replace(span=_move(diagnostic.span, lines.get(diagnostic.span.file, {})))
        for diagnostic in diagnostics
    )


def _lines(before: Text, after: Text) -> dict[int, int]:
    """Maps lines of the edited text to lines of the original, both counted from 1."""
    old, new = before.content.split("\n"), after.content.split("\n")
    old_lines: dict[int, int] = {}
    # autojunk keeps its default: if frequent lines also started matches, a thousand edited clusters took minutes.
    for _, old_start, old_end, new_start, new_end in SequenceMatcher(None, old, new).get_opcodes():
        for line in range(new_start, new_end):
            old_lines[line + 1] = max(1, min(old_start + line - new_start + 1, old_end))
    return old_lines


def _move(span: Span, lines: Mapping[int, int]) -> Span:
    return span._replace(line=lines.get(span.line, span.line))
