"""The first half of the compiler: texts to a linked fleet that has been checked. Nothing here emits anything."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity, worst
from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.spec.delivery_path import contradictions, with_delivery_path
from gitgpu.load.spec.possible_documents import possible_fleets, wrong_keys
from gitgpu.load.spec.shape import Document, shape
from gitgpu.load.spec.texts import read_spec
from gitgpu.load.spec.unfilled import unfilled
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog, catalog
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link
from gitgpu.rules.fleet_findings import fleet_findings
from gitgpu.rules.inputs.catalog_notes import catalog_notes

_NAMES = "LNK"  # the codes of names that nothing has
_DEFAULT_OPTIONS = FleetOptions()


class Checked(NamedTuple):
    """The texts that were read, the linked fleet (None without a valid Fleet document), and all findings.

    `objects` is the number of documents. `allowed` are the errors that are not among the findings, because the user
    allowed or ignored them.
    """

    texts: tuple[Text, ...]
    inputs: Inputs | None
    diagnostics: tuple[Diagnostic, ...]
    objects: int
    allowed: tuple[Diagnostic, ...] = ()
    documents: tuple[Document, ...] = ()


def refused_allowances(checked: Checked, error: Exception) -> tuple[Diagnostic, ...]:
    """After a step has failed, ALW004 for each allowed error. If none is allowed, the exception is raised again."""
    if not checked.allowed:
        raise error
    which = "this error is" if len(checked.allowed) == 1 else f"these {len(checked.allowed)} errors are"
    return tuple(
        finding._replace(
            code="ALW004",
            message=f"the fleet cannot be compiled while {which} allowed: {finding.code}, {finding.message}",
            help=f"{finding.help}, and remove the suppression",
        )
        for finding in checked.allowed
    )


class Linked(NamedTuple):
    """A fleet whose names are resolved, with its findings so far. `judge` runs the rules and adds their findings."""

    fleet: Checked
    judge: Callable[[], Checked]


def checked_before(fleet: Checked) -> Linked:
    """A fleet that has been checked already, so that `judge` returns it unchanged."""
    return Linked(fleet, lambda: fleet)


def read(paths: Iterable[str], options: FleetOptions = _DEFAULT_OPTIONS) -> Linked:
    """Read and link a fleet."""
    texts, unread = read_spec(tuple(paths), options.out)
    of_texts = linked(texts, options)

    def with_unread(fleet: Checked) -> Checked:
        return fleet._replace(diagnostics=(*unread, *fleet.diagnostics))

    return Linked(with_unread(of_texts.fleet), lambda: with_unread(of_texts.judge()))


def validate(paths: Iterable[str], options: FleetOptions = _DEFAULT_OPTIONS) -> Checked:
    """Read, link and check a fleet."""
    return read(paths, options).judge()


def linked(texts: Sequence[Text], options: FleetOptions = _DEFAULT_OPTIONS) -> Linked:
    """Link the fleet in these texts."""
    documents, misshapen = shape(texts)
    facts = catalog(options.catalogs)
    join = partial(_joined, facts=facts, options=options)
    joined = join(documents)
    marked = tuple(unfilled(texts))
    faults = (*misshapen, *joined.faults, *facts.files.faults)
    fleet = Checked(
        texts=tuple(texts),
        inputs=joined.inputs,
        diagnostics=faults,
        objects=len(documents),
        allowed=(),
        documents=tuple(documents),
    )

    def judge() -> Checked:
        findings = _independent(documents, lambda others: _judged(join(others)), _judged(joined))
        faults = (*misshapen, *findings, *facts.files.faults, *marked)
        adjusted = _adjustments(joined.inputs) if joined.inputs and worst(faults) is not Severity.ERROR else ()
        return fleet._replace(diagnostics=(*faults, *adjusted))

    return Linked(fleet, judge)


def validated(texts: Sequence[Text], options: FleetOptions = _DEFAULT_OPTIONS) -> Checked:
    """Link and check the fleet in these texts."""
    return linked(texts, options).judge()


def _adjustments(inputs: Inputs) -> Sequence[Diagnostic]:
    """The faults in the chart values and patches of a fleet. Checking them imports half of the program."""
    if not inputs.is_adjusted:
        return ()
    from gitgpu.adjust import adjustment_faults  # noqa: PLC0415
    from gitgpu.load.schemas import Schemas  # noqa: PLC0415
    from gitgpu.rules.norms import norms  # noqa: PLC0415

    return adjustment_faults(inputs, norms(Schemas(), inputs.catalog, inputs.today))


_Judge: TypeAlias = Callable[[Sequence[Document]], list[Diagnostic]]


class _Joined(NamedTuple):
    """A fleet linked from documents, the faults in its names, and the objects with an unresolved name."""

    documents: Sequence[Document]
    inputs: Inputs | None
    faults: Sequence[Diagnostic]
    doubtful: Collection[ObjectRef]


def _joined(documents: Sequence[Document], facts: Catalog, options: FleetOptions) -> _Joined:
    """Links the documents that have the right shape."""
    inputs, unlinked = link(with_delivery_path(documents, options.out), facts, options.today)
    doubtful = {fault.object for fault in unlinked}
    return _Joined(documents, inputs, [*contradictions(documents, options.out), *unlinked], doubtful)


def _judged(joined: _Joined) -> list[Diagnostic]:
    """The faults and findings of a linked fleet. No rule runs if a cluster or the catalog cannot be read."""
    documents, inputs, faults, doubtful = joined
    clusters = (document for document in documents if document.kind == "Cluster")
    if inputs is None or inputs.catalog.files.faults or not all(document.sound for document in clusters):
        return [*faults]
    return [*faults, *fleet_findings(inputs, doubtful), *catalog_notes(inputs)]


def _independent(documents: Sequence[Document], judge: _Judge, findings: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """The findings that are true for any reading of documents of the wrong shape.

    `findings`, which were made without these documents, are kept if every possible reading of the documents has them.
    Findings that only the readings have are added if they are about an unresolved name, or about such a document
    but none of its wrong keys.
    """
    readings = [judge(fleet) for fleet in possible_fleets(documents)]
    if not readings:
        return findings
    first, *others = readings
    common = set(first).intersection(*others)
    wrong, more = wrong_keys(documents), common.difference(findings)
    kept = [fault for fault in findings if fault in common]
    return kept + [fault for fault in first if fault in more and _is_apart(fault, wrong)]


def _is_apart(fault: Diagnostic, wrong: Mapping[ObjectRef, Collection[str]]) -> bool:
    """Whether the finding is about an unresolved name, or a document of the wrong shape but none of its wrong keys."""
    keys = wrong.get(fault.object)
    if keys is None:
        return fault.code.startswith(_NAMES)
    return not any(f"{fault.pointer}/".startswith(f"{key}/") for key in keys)  # /spec/sku is not above /spec/skus
