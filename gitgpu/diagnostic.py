"""A fault is a value: what is wrong, where, why, and what to do about it."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from gitgpu.source import Span


class Severity(StrEnum):
    """How bad: an error stops a build, a warning works but not as meant, an info only tells."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class ObjectRef(NamedTuple):
    """The document or Kubernetes object that a fault is about; an empty string where there is none."""

    kind: str = ""
    namespace: str = ""
    name: str = ""


class Diagnostic(NamedTuple):
    """One fault. `pointer` is RFC 6901 text inside the document; `help` is the remedy, in the imperative."""

    code: str
    severity: Severity
    message: str
    help: str
    span: Span
    pointer: str = ""
    object: ObjectRef = ObjectRef()


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sorted by place, then code, each once: the order never depends on the order of discovery."""
    return tuple(sorted(set(diagnostics), key=lambda d: (d.span, d.code, d.pointer, d.message)))


def worst(diagnostics: Iterable[Diagnostic]) -> Severity | None:
    """The highest severity present, or None when there is nothing."""
    ranks = (Severity.ERROR, Severity.WARNING, Severity.INFO)
    present = {d.severity for d in diagnostics}
    return next((rank for rank in ranks if rank in present), None)
