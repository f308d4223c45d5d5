"""Values that an import did not find in its input. Comments mark them until they are filled in."""

from collections.abc import Iterable, Iterator

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.parse.comments import comments
from gitgpu.load.text import Text
from gitgpu.source import Span

NOT_IN_INPUT = "the input does not contain "
UNFILLED = "IMP014"
_MARK = f"# TODO: {NOT_IN_INPUT}"


def todo(reason: str) -> str:
    """The comment for a value, with the reason, which begins with NOT_IN_INPUT."""
    return f"TODO: {reason}."


def unfilled_warnings(texts: Iterable[Text]) -> Iterator[Diagnostic]:
    """A warning for each comment of an import that marks a value."""
    for text in texts:
        if _MARK in text.content:  # the search for comments is much slower
            for comment in comments(text.content):
                if comment.alone and comment.text.startswith(_MARK):
                    what = comment.text.removeprefix(_MARK).partition(":")[0]
                    message = f"{what} is a placeholder: the import did not find it"
                    place = Span(text.name, comment.line, comment.column)
                    yield Diagnostic(UNFILLED, Severity.WARNING, message, "set it, and remove the comment", place)
