"""The shape of a document with overrides applied. Each fault is reported at the override that causes it."""

from gitgpu.diagnostic import Change, Diagnostic, Severity
from gitgpu.load.explain.fault import Fault
from gitgpu.load.spec.merge_patch import Overlay, Written, last_write
from gitgpu.load.spec.shape import Document, document_faults
from gitgpu.source import dotted_text, pointer_text

_AT_THE_VALUE = (Change.KEY, Change.QUOTE, Change.VALUE)  # repairs that only change what the override writes


def override_faults(document: Document) -> list[Diagnostic]:
    """The faults of a document that is valid without its overrides."""
    last = document.overlays[-1]
    return [_fault(document, problem, last) for problem in document_faults(document.data)]


def _fault(document: Document, problem: Fault, last: Overlay) -> Diagnostic:
    """The fault at the value in the override; if the override has no such value, at the whole override."""
    cause = last_write(document.overlays, problem.pointer)
    pointer = cause.at if cause else last.at
    span = document.places.span(pointer, key=problem.at_key or cause is None or cause.value is None)
    diagnostic = Diagnostic(
        "SHP003", Severity.ERROR, problem.message, problem.help, span, pointer_text(pointer), document.ref
    )
    if cause and _is_own(problem, cause):
        repair = problem.repair if problem.repair and problem.repair.change in _AT_THE_VALUE else None
        return diagnostic._replace(edit=repair.edit(document.places) if repair else None)
    where = dotted_text(problem.pointer)
    return diagnostic._replace(
        message=f"with this override, {where} is invalid: {problem.message}",
        help=f"{problem.help}; in an override, null removes a key",
    )


def _is_own(problem: Fault, cause: Written) -> bool:
    """Whether the fault is about a value in the override, independent of the rest of the spec."""
    return problem.at_key or (cause.value is not None and not isinstance(cause.value, dict))
