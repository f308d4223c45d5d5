"""The first half of the compiler: texts to a linked fleet that has been checked. Nothing here emits anything."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity, errors, worst
from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.spec.delivery_path import contradictions, with_delivery_path
from gitgpu.load.spec.possible_documents import possible_fleets, wrong_keys
from gitgpu.load.spec.shape import Document, shape
from gitgpu.load.spec.texts import SpecTexts, read_spec
from gitgpu.load.spec.unfilled import unfilled_warnings
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog, catalog
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link
from gitgpu.policy import ADJUSTMENTS, Policy, comment_allowances, settle
from gitgpu.rules.fleet_findings import Helper, fleet_findings
from gitgpu.rules.inputs.advised import advisory_findings
from gitgpu.rules.inputs.catalog_notes import catalog_notes

_NAMES = "LNK"  # the codes of names that nothing has
_DEFAULT_OPTIONS = FleetOptions()


class LinkedFleet(NamedTuple):
    """A fleet whose names are resolved, before any rule has run. `inputs` is None without a valid Fleet document.

    `unread` are the faults of reading files, `misshapen` those of documents, `unresolved` those of names.
    """

    texts: tuple[Text, ...]
    documents: tuple[Document, ...]
    options: FleetOptions
    catalog: Catalog
    inputs: Inputs | None
    misshapen: tuple[Diagnostic, ...]
    unresolved: tuple[Diagnostic, ...]
    unread: tuple[Diagnostic, ...] = ()

    @property
    def cluster_names(self) -> tuple[str, ...]:
        """The names of all clusters."""
        return tuple(cluster.name for cluster in self.inputs.clusters) if self.inputs else ()

    @property
    def faults(self) -> tuple[Diagnostic, ...]:
        """Everything that is wrong before any rule has run."""
        contradicted = contradictions(self.documents, self.options.out)
        return (*self.unread, *self.misshapen, *contradicted, *self.unresolved, *self.catalog.files.faults)


class CheckedFleet(NamedTuple):
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


def read_fleet(paths: Iterable[str], options: FleetOptions = _DEFAULT_OPTIONS) -> LinkedFleet:
    """Read and link a fleet."""
    return link_spec(read_spec(tuple(paths), options.out), options)


def link_spec(spec: SpecTexts, options: FleetOptions) -> LinkedFleet:
    """Link a fleet that has been read."""
    return link_fleet(spec.texts, options)._replace(unread=tuple(spec.unread))


def link_fleet(texts: Sequence[Text], options: FleetOptions = _DEFAULT_OPTIONS) -> LinkedFleet:
    """Link the fleet in these texts."""
    documents, misshapen = shape(texts)
    facts = catalog(options.catalogs)
    inputs, unresolved = _link(documents, facts, options)
    return LinkedFleet(
        texts=tuple(texts),
        documents=tuple(documents),
        options=options,
        catalog=facts,
        inputs=inputs,
        misshapen=tuple(misshapen),
        unresolved=unresolved,
    )


def check_fleet(fleet: LinkedFleet, policy: Policy | None = None, helping: Helper | None = None) -> CheckedFleet:
    """All findings in a linked fleet; with a policy, without those that it or a comment in the files suppresses.

    Another process can be `helping`: it runs most of the rules.
    """
    findings = _findings_for_any_reading(fleet, helping)
    faults = (*fleet.misshapen, *findings, *fleet.catalog.files.faults, *unfilled_warnings(fleet.texts))
    adjusted = _adjustments(fleet.inputs) if fleet.inputs and worst(faults) is not Severity.ERROR else ()
    diagnostics = (*fleet.unread, *faults, *adjusted)
    checked = CheckedFleet(fleet.texts, fleet.inputs, diagnostics, len(fleet.documents), documents=fleet.documents)
    return settle_fleet(checked, policy) if policy else checked


def validate(paths: Iterable[str], options: FleetOptions = _DEFAULT_OPTIONS) -> CheckedFleet:
    """Read, link and check a fleet."""
    return check_fleet(read_fleet(paths, options))


def validate_texts(texts: Sequence[Text], options: FleetOptions = _DEFAULT_OPTIONS) -> CheckedFleet:
    """Link and check the fleet in these texts."""
    return check_fleet(link_fleet(texts, options))


def settle_fleet(checked: CheckedFleet, policy: Policy) -> CheckedFleet:
    """Removes the findings that the policy and the comments in the files of a fleet suppress."""
    written = comment_allowances({text.name: text.content for text in checked.texts})
    remaining = tuple(settle(checked.diagnostics, written, _judging(checked, policy)))
    ids = set(map(id, remaining))  # comparing each finding with all others would take quadratic time
    allowed_errors = tuple(error for error in errors(checked.diagnostics) if id(error) not in ids)
    return checked._replace(diagnostics=remaining, allowed=allowed_errors)


def _judging(checked: CheckedFleet, policy: Policy) -> Policy:
    """The policy for these findings. Values and patches are checked only if there are no other errors."""
    if all(error.code.startswith(ADJUSTMENTS) for error in errors(checked.diagnostics)):
        return policy
    return policy._replace(judges=lambda code: not code.startswith(ADJUSTMENTS) and policy.judges(code))


def refuse_allowances(checked: CheckedFleet, error: Exception) -> tuple[Diagnostic, ...]:
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


def _adjustments(inputs: Inputs) -> Sequence[Diagnostic]:
    """The faults in the chart values and patches of a fleet. Checking them imports half of the program."""
    if not inputs.is_adjusted:
        return ()
    from gitgpu.adjust import adjustment_faults  # noqa: PLC0415
    from gitgpu.load.schemas import Schemas  # noqa: PLC0415
    from gitgpu.rules.norms import norms  # noqa: PLC0415

    return adjustment_faults(inputs, norms(Schemas(), inputs.catalog, inputs.today))


def _link(
    documents: Sequence[Document], facts: Catalog, options: FleetOptions
) -> tuple[Inputs | None, tuple[Diagnostic, ...]]:
    """Links the documents that have the right shape: the fleet, and the faults in its names."""
    inputs, unlinked = link(with_delivery_path(documents, options.out), facts, options.today)
    return inputs, tuple(unlinked)


def _findings_for_any_reading(fleet: LinkedFleet, helping: Helper | None) -> Sequence[Diagnostic]:
    """The findings in a fleet that are true for any reading of its documents of the wrong shape.

    Those of the fleet without these documents are kept if every possible reading of the documents has them. Those that
    only the readings have are added if they are about an unresolved name, or about such a document but none of its
    wrong keys.
    """
    findings = _findings(fleet, helping)
    readings = [_findings(_with_documents(fleet, documents)) for documents in possible_fleets(fleet.documents)]
    if not readings:
        return findings
    first, *others = readings
    common = set(first).intersection(*others)
    wrong, more = wrong_keys(fleet.documents), common.difference(findings)
    kept_faults = [fault for fault in findings if fault in common]
    return kept_faults + [fault for fault in first if fault in more and _is_apart(fault, wrong)]


def _with_documents(fleet: LinkedFleet, documents: Sequence[Document]) -> LinkedFleet:
    inputs, unresolved = _link(documents, fleet.catalog, fleet.options)
    return fleet._replace(documents=tuple(documents), inputs=inputs, unresolved=unresolved)


def _findings(fleet: LinkedFleet, helping: Helper | None = None) -> list[Diagnostic]:
    """The faults and findings of a linked fleet. No rule runs if a cluster or the catalog cannot be read."""
    faults = [*contradictions(fleet.documents, fleet.options.out), *fleet.unresolved]
    clusters = (document for document in fleet.documents if document.kind == "Cluster")
    if fleet.inputs is None or fleet.inputs.catalog.files.faults or not all(document.sound for document in clusters):
        return faults
    doubtful = {fault.object for fault in fleet.unresolved}
    found = [*fleet_findings(fleet.inputs, doubtful, helping), *advisory_findings(fleet.inputs)]
    return [*faults, *found, *catalog_notes(fleet.inputs)]


def _is_apart(fault: Diagnostic, wrong: Mapping[ObjectRef, Collection[str]]) -> bool:
    """Whether the finding is about an unresolved name, or a document of the wrong shape but none of its wrong keys."""
    keys = wrong.get(fault.object)
    if keys is None:
        return fault.code.startswith(_NAMES)
    return not any(f"{fault.pointer}/".startswith(f"{key}/") for key in keys)  # /spec/sku is not above /spec/skus
