"""The error of the YAML parser as a fault, with a place inside the text."""

import re
from collections.abc import Iterator

from yaml.error import YAMLError
from yaml.reader import ReaderError

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.parse.conflict import conflict
from gitgpu.load.text import Text
from gitgpu.source import Span

UNREADABLE = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # not allowed in YAML 1.1
MAX_FAULTS = 1000  # in one file; 32 MB of duplicate keys would have a million
TABS = "indent with spaces; YAML does not allow tabs"


def syntax_fault(text: Text, error: YAMLError) -> Diagnostic:
    """The fault for an error of PyYAML's parser."""
    if left := conflict(text, broken=True):
        return left
    character = UNREADABLE.search(text.content)
    if isinstance(error, ReaderError) and character:
        before = text.content[: character.start()]
        span = Span(text.name, before.count("\n") + 1, len(before) - before.rfind("\n"))
        message = f"not YAML: the character U+{ord(character[0]):04X} is not allowed"
        return fault("YML001", message, "remove it, or use an escape such as \\t inside double quotes", span)
    lines = text.content.splitlines()
    line, column = next(_places(error, len(lines)), (len(lines) - 1, len(lines[-1])))
    indent = lines[line][: len(lines[line]) - len(lines[line].lstrip())]
    remedy = TABS if "\t" in indent else "check the quotes, brackets and indentation of this line and the one above"
    message = f"not YAML: {getattr(error, 'problem', None) or error}"
    return fault("YML001", message, remedy, Span(text.name, line + 1, column + 1))


def _places(error: YAMLError, lines: int) -> Iterator[tuple[int, int]]:
    """Line and column (from 0) of the error and of its context, if they are inside the text."""
    for mark in (getattr(error, "problem_mark", None), getattr(error, "context_mark", None)):
        if mark is not None and mark.line < lines:
            yield mark.line, mark.column


def too_many(span: Span) -> Diagnostic:
    """The fault that the rest of a file was not read."""
    return fault("YML008", f"over {MAX_FAULTS:,} faults: the rest was not read", "correct the faults above first", span)
