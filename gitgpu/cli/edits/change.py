"""A change of the spec, made in memory: the edited texts, the plan, and faults for which it may be refused."""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any, NamedTuple

from gitgpu.cli.edits.original_places import before_edits
from gitgpu.cli.fleets.findings import validate_fleet_texts
from gitgpu.cli.settings import Settings
from gitgpu.diagnostic import Diagnostic, errors
from gitgpu.load.spec.shape import Document
from gitgpu.load.text import Text
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.stack import Stack
from gitgpu.report.comparison.planned import Planned
from gitgpu.report.comparison.transitions import Step
from gitgpu.runs.amend import Absent, Assignment, amend
from gitgpu.runs.amend.assignment import child
from gitgpu.runs.baseline import Baseline, baseline_of
from gitgpu.runs.build import BuildOptions, build_checked
from gitgpu.runs.plan import plan_build
from gitgpu.runs.validate import CheckedFleet
from gitgpu.source import Pointer, Span, dotted_text

UNKNOWN_VERSION, EXCLUDED_VERSION = "VER002", "VER003"
MENDED = (UNKNOWN_VERSION, EXCLUDED_VERSION)  # errors that another version can fix


class SpecEdit(NamedTuple):
    """A value that is written or removed: its place in the edited file, its part of the spec, and its key there."""

    span: Span
    part: str
    key: str
    before: Any
    after: Any


class Change(NamedTuple):
    """The texts that differ, the edited values, and the plan; faults if the change cannot be made."""

    texts: tuple[Text, ...] = ()
    edits: tuple[SpecEdit, ...] = ()
    plan: Planned | None = None
    faults: tuple[Diagnostic, ...] = ()

    @property
    def steps(self) -> list[Step]:
        """The charts and images that get a different version."""
        return self.plan.steps if self.plan else []


def change(settings: Settings, before: CheckedFleet, wanted: Sequence[Assignment]) -> Change:
    """The fleet with these assignments. If it has errors, the assignments must fix them.

    There is a plan only if the fleet can be built without the assignments, which fails if the catalog lacks an old
    version.
    """
    wanted = list(filter(_changes_value, wanted))
    if not wanted:
        # Without an edit, the errors that it should fix remain.
        return Change(faults=tuple(errors(before.diagnostics)))
    texts, faults = _edit_texts(before, wanted)
    if faults:
        return Change(faults=faults)
    after = validate_fleet_texts([texts.get(text.name, text) for text in before.texts], settings)
    if before.inputs is None or after.inputs is None or errors(after.diagnostics):
        return Change(faults=before_edits(after.diagnostics, before.texts, texts))
    picked = _differing(before.inputs, after.inputs)
    built = build_checked(after, picked, BuildOptions(jobs=None))
    if built.errors:
        return Change(faults=before_edits(built.errors, before.texts, texts))
    base = _baseline(before, picked)
    plan, faults = plan_build(base, built, after.inputs, picked) if base else (None, ())
    return Change(tuple(text for _, text in sorted(texts.items())), tuple(_edits(wanted, after)), plan, faults)


def _changes_value(assignment: Assignment) -> bool:
    return bool(reduce(child, assignment.pointer, assignment.document.data) != assignment.value)


def _baseline(before: CheckedFleet, picked: Sequence[str]) -> Baseline | None:
    """The fleet before the change; None if it cannot be built."""
    inputs = before.inputs
    # An excluded version can still be built, unlike one that the catalog does not have.
    if inputs is None or any(error.code != EXCLUDED_VERSION for error in errors(before.diagnostics)):
        return None
    old = build_checked(before._replace(diagnostics=()), picked, BuildOptions(jobs=None))
    return None if old.errors else baseline_of(old, "the fleet before this change")


def _edit_texts(before: CheckedFleet, wanted: Sequence[Assignment]) -> tuple[dict[str, Text], tuple[Diagnostic, ...]]:
    texts: dict[str, Text] = {}
    faults: list[Diagnostic] = []
    for text in before.texts:
        assignments = [assignment for assignment in wanted if assignment.document.places.file == text.name]
        edited = amend(text, assignments) if assignments else text
        if isinstance(edited, Diagnostic):
            faults.append(edited)
        elif edited != text:
            texts[text.name] = edited
    return texts, tuple(faults)


def _differing(before: Inputs, after: Inputs) -> list[str]:
    """The clusters whose stack differs: no other cluster can change."""
    old, new = _stacks(before), _stacks(after)
    return [name for name, stack in new.items() if old.get(name) != stack]


def _stacks(inputs: Inputs) -> dict[str, tuple[Stack, list[Any]]]:
    stacks: dict[str, tuple[Stack, list[Any]]] = {}
    for cluster in inputs.clusters:
        stacks[cluster.name] = (cluster.stack, [layer.values for layer in cluster.values])
    return stacks


def _edits(wanted: Sequence[Assignment], after: CheckedFleet) -> Iterable[SpecEdit]:
    places = {(document.kind, document.ref.name): document.places for document in after.documents}
    for document, pointer, value in wanted:
        place = places[document.kind, document.ref.name].span(pointer, key=True)
        at = pointer.index("stack")
        key = dotted_text(pointer[at + 1 :])
        before = reduce(child, pointer, document.data)
        yield SpecEdit(place, _part(document, pointer), key, _value_or_none(before), _value_or_none(value))


def _part(document: Document, pointer: Pointer) -> str:
    """The part of the spec that a pointer is in: a cluster, a ring of the fleet, or its defaults."""
    match pointer:
        case ("spec", "rings", index, *_):
            return f"ring {document.data['spec']['rings'][index]['name']}"
        case _ if document.kind == "Cluster":
            return f"cluster {document.ref.name}"
    return "defaults"


def _value_or_none(value: Any) -> Any:
    return None if value is Absent.ABSENT else value
