"""What a fleet rule is: one true sentence about spec and catalog that a fleet may break."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.model.fleet import Origin
from gitgpu.model.inputs import Inputs
from gitgpu.source import Pointer, pointer_text


class Finding(NamedTuple):
    """One breach: the document, the value inside it, what is wrong and what to do."""

    origin: Origin
    pointer: Pointer
    message: str
    help: str


class Rule(NamedTuple):
    """A rule is named for what it forbids. `bad` and `good` are fleet documents; they are its tests and its page.

    `code` is permanent. `help` says why the rule is there; `sources` are the links that prove it.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    help: str
    sources: tuple[str, ...]
    check: Callable[[Inputs], Iterable[Finding]]
    bad: str
    good: str


def diagnose(rule: Rule, inputs: Inputs) -> Iterable[Diagnostic]:
    """The breaches of a rule as diagnostics."""
    for finding in rule.check(inputs):
        span = finding.origin.span(finding.pointer)
        pointer = pointer_text(finding.pointer)
        yield Diagnostic(rule.code, rule.severity, finding.message, finding.help, span, pointer, finding.origin.ref)
