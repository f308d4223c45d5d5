"""A fault of linking, at the place where the document writes the value."""

from gitgpu.diagnostic import Diagnostic, Problem, Severity
from gitgpu.load.spec.shape import Document
from gitgpu.source import Pointer, pointer_text

Faults = list[Diagnostic]


def fault(code: str, document: Document, where: Pointer, problem: Problem) -> Diagnostic:
    """An error about a value of a document."""
    span, place = document.places.span(where), pointer_text(document.place_of(where))
    return Diagnostic(code, Severity.ERROR, *problem, span, place, document.ref)
