"""A fleet rule: settings in the spec that conflict with each other or with facts of the catalog."""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from gitgpu import rule
from gitgpu.diagnostic import Diagnostic
from gitgpu.model.catalog import Facts
from gitgpu.model.evidence import with_age
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import Origin
from gitgpu.model.value_origins import written_place
from gitgpu.rule import failure
from gitgpu.source import Pointer, pointer_text


class Finding(NamedTuple):
    """One violation: the document, the value inside it, what is wrong and what to do.

    `row` is the row of the catalog that this finding rests on. The rule names those that all its findings rest on.
    """

    origin: Origin
    pointer: Pointer
    message: str
    help: str
    row: Facts | None = None


Rule: TypeAlias = rule.Rule[Inputs, Finding]


def diagnose(current: Rule, inputs: Inputs) -> list[Diagnostic]:
    """The findings of a rule as diagnostics; if the rule raises an exception, one that says so."""
    try:
        return list(dict.fromkeys(_breaches(current, inputs)))  # several clusters can share a value of the Fleet
    except Exception as error:  # noqa: BLE001  the findings of all other rules are still worth reading
        return [failure(current, error)]


def _breaches(current: Rule, inputs: Inputs) -> Iterator[Diagnostic]:
    for subject, below, message, remedy, row in current.check(inputs):
        origin, pointer = written_place(subject, below) if subject.ref.kind == "Cluster" else (subject, below)
        span, place = origin.span(pointer), pointer_text(origin.place_of(pointer))
        text = with_age(message, row, current.facts, inputs.catalog, inputs.today)
        yield Diagnostic(current.code, current.severity, text, remedy, span, place, origin.ref)
