"""A finding about chart values, at the place where the spec sets them."""

from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, Problem, Severity
from gitgpu.model.spec.origin import Layer
from gitgpu.source import Pointer, Span, dotted_text, pointer_text


class ValuePlace(NamedTuple):
    """A value in a layer of values; with `at_key`, its key."""

    layer: Layer
    path: Pointer
    at_key: bool = False

    @property
    def pointer(self) -> Pointer:
        """The pointer in the document of the layer."""
        return (*self.layer.at, *self.path)

    @property
    def span(self) -> Span:
        """The place in the file."""
        return self.layer.origin.span(self.pointer, key=self.at_key)

    @property
    def dotted_path(self) -> str:
        """The path in the notation of messages."""
        return dotted_text(self.path)


def fault(code: str, place: ValuePlace, problem: Problem, severity: Severity = Severity.ERROR) -> Diagnostic:
    """A finding at the place of a value."""
    return Diagnostic(code, severity, *problem, place.span, pointer_text(place.pointer), place.layer.origin.ref)
