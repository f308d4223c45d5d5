"""A finding about a patch, at the place where the spec writes it."""

from gitgpu.diagnostic import Diagnostic, Problem, Severity
from gitgpu.model.spec.patch import Patch
from gitgpu.source import Pointer, pointer_text


def fault(code: str, patch: Patch, at: Pointer, problem: Problem, severity: Severity = Severity.ERROR) -> Diagnostic:
    """A finding about a value of a patch."""
    pointer = pointer_text((*patch.at, *at))
    return Diagnostic(code, severity, *problem, patch.place(*at), pointer, patch.origin.ref)
