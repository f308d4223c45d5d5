"""A fault is a value: what is wrong, where, why, and what to do about it."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from gitgpu.source import Pointer, Span


class Severity(StrEnum):
    """An error stops a build, a warning is about what works but not as intended, and an info needs no action."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class ObjectRef(NamedTuple):
    """The document or Kubernetes object that a fault is about. Missing parts are ""."""

    kind: str = ""
    namespace: str = ""
    name: str = ""


class Change(StrEnum):
    """What an edit does to the value or key at its place."""

    VALUE = "value"  # write `text` in its place
    QUOTE = "quote"  # put the value in quotes, as it is written
    KEY = "key"  # rename this key to `text`
    ADD = "add"  # add the key `key` with the value `text` to the mapping that begins here
    MOVE = "move"  # move this key and its value into the mapping that begins at `target`


class Edit(NamedTuple):
    """A safe repair. `at` is where a value begins (its key for KEY and MOVE); `text` is literal YAML."""

    change: Change
    at: Span
    text: str = ""
    key: str = ""
    target: Span | None = None


class Places(Protocol):
    """Finds the place of a value; `source.SourceMap` is one."""

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of the value that a pointer names, or of its key with `key=True`."""
        ...


class Repair(NamedTuple):
    """An edit whose places are pointers into a document, because the place of the document is not known yet."""

    change: Change
    pointer: Pointer
    text: str = ""
    key: str = ""
    target: Pointer | None = None

    def edit(self, places: Places) -> Edit:
        """The edit with places in the file."""
        at_key = self.change in (Change.KEY, Change.MOVE)
        target = None if self.target is None else places.span(self.target)
        return Edit(self.change, places.span(self.pointer, key=at_key), self.text, self.key, target)


class Problem(NamedTuple):
    """What is wrong, and what to do about it, before the place is known."""

    message: str
    remedy: str


class Diagnostic(NamedTuple):
    """One fault. `pointer` is RFC 6901 text inside the document; `help` is the remedy, in the imperative.

    `edit` carries out the remedy; it is None if that is not always safe.
    """

    code: str
    severity: Severity
    message: str
    help: str
    span: Span
    pointer: str = ""
    object: ObjectRef = ObjectRef()
    edit: Edit | None = None


def fault(code: str, message: str, remedy: str, span: Span) -> Diagnostic:
    """An error about a file or a text, not about an object in it."""
    return Diagnostic(code, Severity.ERROR, message, remedy, span)


def errors(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics with severity error."""
    return [diagnostic for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR]


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sorted by place, then code, without duplicates: the order never depends on the order of discovery."""
    return tuple(sorted(set(diagnostics), key=_order))


def _order(diagnostic: Diagnostic) -> tuple[Span, str, str, str]:
    return diagnostic.span, diagnostic.code, diagnostic.pointer, diagnostic.message


def worst(diagnostics: Iterable[Diagnostic]) -> Severity | None:
    """The highest severity present, or None when there is nothing."""
    ranks = (Severity.ERROR, Severity.WARNING, Severity.INFO)
    present = {diagnostic.severity for diagnostic in diagnostics}
    return next((rank for rank in ranks if rank in present), None)
