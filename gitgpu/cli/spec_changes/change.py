"""A change of the spec, made in memory: the edited texts, what it does to clusters, and why it may be refused."""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any, NamedTuple

from gitgpu.amend import Absent, Assignment, amended
from gitgpu.amend.assignment import child
from gitgpu.cli.checking import looking, settled
from gitgpu.cli.comparison.baseline import Baseline
from gitgpu.cli.comparison.planning import planned
from gitgpu.cli.settings import Settings
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.front import Checked, validated
from gitgpu.load.text import Text
from gitgpu.model.inputs import Inputs
from gitgpu.pipeline import Build, Manner, build
from gitgpu.report.comparison.planned import Planned
from gitgpu.report.comparison.transitions import Step
from gitgpu.source import Span

EXCLUDED_VERSION = "VER003"
MENDED = ("VER002", EXCLUDED_VERSION)  # errors that another version mends


class SpecEdit(NamedTuple):
    """A value that is written or taken out: its place in the edited file, its part of the spec, and its key there."""

    span: Span
    part: str
    key: str
    before: Any
    after: Any


class Change(NamedTuple):
    """The texts that differ, the values in them, the plan; faults where it cannot be made."""

    texts: tuple[Text, ...] = ()
    edits: tuple[SpecEdit, ...] = ()
    plan: Planned | None = None
    faults: tuple[Diagnostic, ...] = ()

    @property
    def steps(self) -> list[Step]:
        """The charts and images that get another version."""
        return self.plan.steps if self.plan else []


def read_fleet(where: Settings) -> Checked:
    """The fleet as it is."""
    return looking(where.policy, where.target)(where.paths, where.catalogs)


def change(where: Settings, before: Checked, wanted: Sequence[Assignment]) -> Change:
    """What the assignments make of a fleet; its errors, if any, must be gone afterwards.

    There is a plan only if the fleet can be built without them: none if the catalog does not have a version of before.
    """
    wanted = [each for each in wanted if reduce(child, each.pointer, each.document.data) != each.value]
    errors = _errors(before.diagnostics)
    if not wanted:
        return Change(faults=tuple(errors))
    texts, faults = _edited(before, wanted)
    if faults:
        return Change(faults=faults)
    look = settled(where.policy)
    after = look(
        validated(
            [texts.get(text.name, text) for text in before.texts], where.catalogs, where.policy.today, where.target
        )
    )
    if before.inputs is None or after.inputs is None or _errors(after.diagnostics):
        return Change(faults=after.diagnostics)
    picked = _differing(before.inputs, after.inputs)
    made = _built(after, picked, where)
    if made.errors:
        return Change(faults=made.errors)
    changed = Change(tuple(text for _, text in sorted(texts.items())), tuple(_edits(wanted, after)))
    if any(each.code != EXCLUDED_VERSION for each in errors):
        return changed
    was = _built(before._replace(diagnostics=()), picked, where)
    plan, faults = planned(_baseline(was, before.inputs), made, after.inputs, picked)
    return changed._replace(plan=plan, faults=faults)


def _baseline(was: Build, inputs: Inputs) -> Baseline:
    versions = {cluster.name: cluster.kubernetes for cluster in inputs.clusters}
    return Baseline(dict(was.files), "the fleet before this change", "", (), versions)


def _edited(before: Checked, wanted: Sequence[Assignment]) -> tuple[dict[str, Text], tuple[Diagnostic, ...]]:
    texts: dict[str, Text] = {}
    faults: list[Diagnostic] = []
    for text in before.texts:
        own = [each for each in wanted if each.document.places.file == text.name]
        found = amended(text, own) if own else text
        if isinstance(found, Diagnostic):
            faults.append(found)
        elif found != text:
            texts[text.name] = found
    return texts, tuple(faults)


def _errors(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    return [each for each in diagnostics if each.severity is Severity.ERROR]


def _differing(before: Inputs, after: Inputs) -> list[str]:
    """The clusters with another stack: no other cluster can change."""
    was = {cluster.name: (cluster.stack, [layer.values for layer in cluster.values]) for cluster in before.clusters}
    now = {cluster.name: (cluster.stack, [layer.values for layer in cluster.values]) for cluster in after.clusters}
    return [name for name, stack in now.items() if was.get(name) != stack]


def _built(checked: Checked, picked: Sequence[str], where: Settings) -> Build:
    return build(where.paths, where.catalogs, lambda _: picked, lambda *_: checked, Manner(jobs=None))


def _edits(wanted: Sequence[Assignment], after: Checked) -> Iterable[SpecEdit]:
    places = {(document.kind, document.ref.name): document.places for document in after.documents}
    for document, pointer, value in wanted:
        place = places[document.kind, document.ref.name].span(pointer, key=True)
        at = pointer.index("stack")
        part = f"cluster {document.ref.name}" if document.kind == "Cluster" else "defaults"
        part = f"ring {document.data['spec']['rings'][pointer[2]]['name']}" if pointer[1] == "rings" else part
        key = ".".join(map(str, pointer[at + 1 :]))
        yield SpecEdit(place, part, key, _shown(reduce(child, pointer, document.data)), _shown(value))


def _shown(value: Any) -> Any:
    return None if value is Absent.ABSENT else value
