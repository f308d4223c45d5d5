"""Running clusters to a fleet, and the proof that it keeps their nodes: adopt, write, compile, compare."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import NamedTuple

from gitgpu.adopt.adoption import Adopted, ClusterDocument, Destination, Refused
from gitgpu.adopt.automatic import with_safeguards
from gitgpu.adopt.clusters import ClusterOptions, cluster_name, distinct_clusters
from gitgpu.adopt.existing_fleet import fleet_without_defaults
from gitgpu.adopt.first_build import software_changes
from gitgpu.adopt.first_build.software_change import SoftwareChange
from gitgpu.adopt.fleet import Known, adopt_fleet
from gitgpu.adopt.needed_pins import with_needed_pins
from gitgpu.adopt.node.kept_owners import with_kept_owners
from gitgpu.adopt.node.node_objects import unapplied_pools
from gitgpu.adopt.node.refused import refused_objects
from gitgpu.adopt.node.unknown_fields import KnownFields, except_whole_objects, known_fields
from gitgpu.adopt.proof import outputs, pool_verdicts
from gitgpu.adopt.reading.passed_values import with_named_releases
from gitgpu.adopt.replaced import Replaced, objects_to_remove, replaceable_objects
from gitgpu.adopt.replaced_delivery import replaced_delivery
from gitgpu.adopt.stack.chart_sources import with_kept_sources
from gitgpu.adopt.stack.kept_containers import with_kept_containers
from gitgpu.adopt.stack.kept_values import with_kept_values
from gitgpu.adopt.stack.running_rows import pinned_rows
from gitgpu.adopt.stack.unneeded_charts import without_unneeded_charts
from gitgpu.adopt.stack.written_values import with_changes
from gitgpu.adopt.undescribed_pools import pools_by_cluster
from gitgpu.adopt.verdict import PoolVerdict
from gitgpu.compare.nodes import Context
from gitgpu.diagnostic import Diagnostic, Severity, in_order
from gitgpu.inventory.observed import Inventory, ObservedCluster
from gitgpu.jobs import in_background, processes
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.schemas import Schemas
from gitgpu.load.spec.shape import Document
from gitgpu.load.spec.unfilled import UNFILLED
from gitgpu.model.catalog import catalog
from gitgpu.model.inputs import Inputs
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.policy import Policy, comment_allowances, settle
from gitgpu.report.imported import ImportReport, Reported
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.norms import norms
from gitgpu.runs.existing import (
    Place,
    clusters_without_name,
    documents_beside,
    files_beside,
    new_findings,
    other_clusters_of_that_name,
    pools_not_read,
    refusals,
    renamed_clusters,
    verdicts_of_same_output,
)
from gitgpu.runs.running_rows import with_running_rows
from gitgpu.runs.validate import CheckedFleet, LinkedFleet, check_fleet, link_fleet, validate_texts
from gitgpu.write.spec.allowances import with_allowances
from gitgpu.write.spec.files import spec_files

MIN_PARALLEL = 100  # pools: checking so many takes longer than starting a process
_OVERRIDES = "VAL003"  # a value that runs overrides one that gitgpu would set: following its remedy changes what runs
_LEFT_SCALING = "SCL004"  # KEDA runs, and stays with its owner
_UNCHECKED = CheckedFleet((), None, (), 0)


class Imported(NamedTuple):
    """The files of a fleet below `folder`, what each running object became, the findings, and the proof.

    With `refusals`, nothing may be written: the existing fleet would do harm to new clusters, or they to its clusters.
    `rows` are those of versions that run and that the catalog lacks, by path below the directory of a catalog.
    """

    folder: str
    files: Mapping[str, str]
    adopted: Adopted
    checked: CheckedFleet
    verdicts: tuple[PoolVerdict, ...]
    inventory: Inventory
    refusals: tuple[Diagnostic, ...] = ()
    replaced: tuple[Replaced, ...] = ()
    software: tuple[SoftwareChange, ...] = ()
    replaces: tuple[Diagnostic, ...] = ()
    rows: Mapping[str, str] = {}

    @property
    def documents(self) -> list[Document]:
        """The documents in these files, without those of the rest of an existing fleet."""
        written = {f"{self.folder}/{path}" for path in self.files}
        return [entry for entry in self.checked.documents if entry.places.span().file in written]

    def report(self, faults: Iterable[Diagnostic] = ()) -> ImportReport:
        """The report of the import. `faults` were found while the documents were read."""
        places = {_destination(document).document: document.places for document in self.documents}
        outcomes = [
            Reported(outcome, outcome.into and places.get(outcome.into.document)) for outcome in self.adopted.outcomes
        ]
        return ImportReport(
            folder=self.folder,
            outcomes=tuple(outcomes),
            verdicts=self.verdicts,
            software=self.software,
            skipped=self.inventory.skipped,
            inferred=self.adopted.inferred,
            replaced=self.replaced,
            findings=in_order((*faults, *(entry for entry in self.checked.diagnostics if entry.code != UNFILLED))),
            written=tuple(f"{self.folder}/{path}" for path in self.files),
        )


def _destination(document: Document) -> Destination:
    """The place of an imported document, which names one cluster if it is a pool or a workload."""
    [cluster] = document.data["spec"].get("clusters") or [""]
    return Destination(document.kind, document.ref.name, (), cluster, document.ref.namespace)


def import_fleet(
    inventory: Inventory,
    options: ClusterOptions,
    catalogs: tuple[Folder, ...],
    folder: str,
    there: CheckedFleet | None = None,
) -> Imported:
    """Imports an inventory as the files of a fleet, to be written to `folder`. `there` is the fleet that it contains.

    If that has other clusters, they and the Fleet stay as they are, and the imported clusters are added. The last of
    the user's catalogs gets rows for versions that run and that the catalog lacks, and need not exist. Without one,
    such software stays with its owner.
    """
    contracts = Contracts(Schemas())
    clusters, renamed = distinct_clusters(inventory.clusters, options)
    read = known_fields(inventory._replace(clusters=tuple(with_named_releases(clusters))), contracts)
    catalogs, rows = with_running_rows(catalogs, read.inventory.clusters)
    context = Context(catalog(catalogs), contracts)
    place = Place(folder, FleetOptions(catalogs, out=options.out), there)
    others = place.others({cluster_name(seen, options) for seen in clusters})
    base = fleet_without_defaults(there.documents) if there and others else None
    fleet, inventory = _adopted(read, Known(options, _refused_objects(read.inventory.clusters, context), base), context)
    written = _written(spec_files(fleet.documents), place._replace(there=None))
    needed = _as_it_runs(fleet, written.inputs, inventory, options)
    if needed.documents != fleet.documents:
        written = _written(spec_files(needed.documents), place._replace(there=None))
    fleet = with_changes(needed._replace(inferred=(*needed.inferred, *renamed)), written.inputs)
    documents, refused = _beside(fleet, place, others)
    if there:
        written = _written(files_beside(documents) if others else spec_files(documents), place)
    made = Imported(folder, {}, fleet, _UNCHECKED, (), inventory, refused, rows=pinned_rows(rows, fleet))
    checking = in_background(partial(_findings, written.linked), at_once=_is_large(written.inputs))
    with closing(checking):
        if written.inputs and not refused:  # meanwhile, this process compares the nodes
            made = _proven(made, written.inputs, others, options, context)
        [findings] = checking
    return _checked(made, written, findings, place)


def _adopted(read: KnownFields, known: Known, context: Context) -> tuple[Adopted, Inventory]:
    """The fleet of what was read, and the inventory without pools that it has an outcome for anyway."""
    fleet, inventory = adopt_fleet(read.inventory, known, context), read.inventory
    unapplied = tuple(unapplied_pools(inventory.skipped, context))
    outcomes = (*fleet.outcomes, *except_whole_objects(read.outcomes, fleet.outcomes), *unapplied)
    reported = {id(outcome.observed) for outcome in unapplied}
    skipped_entries = tuple(entry for entry in inventory.skipped if id(entry.observed) not in reported)
    return fleet._replace(outcomes=outcomes), inventory._replace(skipped=skipped_entries)


def _as_it_runs(fleet: Adopted, inputs: Inputs | None, inventory: Inventory, options: ClusterOptions) -> Adopted:
    """The fleet with the versions, values and containers that its running software needs to stay as it is."""
    running = {cluster_name(seen, options): seen.objects for seen in inventory.clusters}
    guarded = {cluster_name(seen, options) for seen in inventory.clusters if seen.azure.excluded is None}
    needed = without_unneeded_charts(fleet, inputs, running)
    kept = with_kept_owners(with_kept_sources(needed, inputs, running), inputs, running)
    kept = with_kept_values(with_needed_pins(with_safeguards(kept, inputs, guarded), inputs), inputs)
    return with_kept_containers(kept, inputs, running)


class _Written(NamedTuple):
    """The files of a fleet below its directory, and the fleet in them. No rule has run."""

    files: Mapping[str, str]
    linked: LinkedFleet

    @property
    def inputs(self) -> Inputs | None:
        """The fleet with its names resolved; None without a valid Fleet."""
        return self.linked.inputs


def _written(files: Mapping[str, str], place: Place) -> _Written:
    return _Written(files, link_fleet(place.texts(files), place.options))


class _Findings(NamedTuple):
    """All findings in a fleet, and those about running nodes and software, which must not change."""

    all: tuple[Diagnostic, ...]
    of_running_nodes: tuple[Diagnostic, ...]


def _findings(fleet: LinkedFleet) -> _Findings:
    findings = check_fleet(fleet).diagnostics
    codes = {rule.code for rule in fleet_rules() if rule.of_running_nodes} | {_OVERRIDES, _LEFT_SCALING}
    return _Findings(findings, tuple(finding for finding in findings if finding.code in codes))


def _checked(made: Imported, written: _Written, findings: _Findings, place: Place) -> Imported:
    """The import with its files, and with what is new in the findings of the fleet."""
    files, checked = _with_allowed_errors(written, findings, place)
    running = pools_by_cluster(made.inventory.clusters, made.adopted.documents)
    not_read = pools_not_read(written.inputs, running) if place.there and written.inputs else ()
    diagnostics = (*new_findings(checked, place, files), *not_read, *made.replaces)
    return made._replace(files=files, checked=checked._replace(diagnostics=diagnostics))


def _is_large(inputs: Inputs | None) -> bool:
    """Whether checking the fleet takes longer than starting a process that does it."""
    return inputs is not None and processes(None, len(inputs.pools), MIN_PARALLEL) > 1


def _beside(
    fleet: Adopted, place: Place, others: Collection[str]
) -> tuple[Sequence[ClusterDocument], tuple[Diagnostic, ...]]:
    """The documents for a directory that may contain a fleet with `others`, and why they cannot be added to it."""
    documents: Sequence[ClusterDocument] = fleet.documents
    refused: list[Diagnostic] = []
    if others:
        documents = documents_beside(documents, place)
        refused = refusals(fleet.documents, documents, place)
    return documents, (
        *refused,
        *clusters_without_name(fleet.inferred, place),
        *renamed_clusters(fleet.documents, place),
        *other_clusters_of_that_name(fleet.documents, place),
    )


def _proven(
    made: Imported, inputs: Inputs, others: Collection[str], options: ClusterOptions, context: Context
) -> Imported:
    """The import with a verdict for each pool of the fleet. Output for `others` is the same as before."""
    verdicts: list[PoolVerdict] = []
    replaced: list[Replaced] = []
    replaces: list[Diagnostic] = []
    software: list[SoftwareChange] = []
    for running, output in outputs(made.inventory.clusters, options, inputs):
        verdicts += pool_verdicts(running, output, context)
        # The running software that must be removed before the overlays of its cluster are applied.
        if replaceable := replaceable_objects(running, made.adopted.outcomes):
            replaced += objects_to_remove(replaceable, output.manifests)
        replaces += replaced_delivery(running, output)
        software += software_changes(running, output)
    verdicts += verdicts_of_same_output(inputs, others)
    return made._replace(
        verdicts=tuple(sorted(verdicts, key=lambda verdict: verdict.cluster)),
        replaced=tuple(replaced),
        replaces=tuple(replaces),
        software=tuple(software),
    )


def _refused_objects(clusters: Iterable[ObservedCluster], context: Context) -> list[Refused]:
    """The objects that the API server would reject."""
    used = norms(Schemas(), context.catalog)
    refused: list[Refused] = []
    for cluster in clusters:
        refused += refused_objects(cluster, used)
    return refused


def _with_allowed_errors(
    written: _Written, findings: _Findings, place: Place
) -> tuple[Mapping[str, str], CheckedFleet]:
    """The files with the errors about running nodes suppressed, and the warnings about values that run."""
    if not findings.of_running_nodes:
        texts, documents = written.linked.texts, written.linked.documents
        return written.files, CheckedFleet(texts, written.inputs, findings.all, len(documents), documents=documents)
    errors: list[Diagnostic] = []
    for finding in findings.of_running_nodes:
        span = finding.span._replace(file=finding.span.file.removeprefix(f"{place.folder}/"))
        errors.append(finding._replace(span=span))
    allowed = with_allowances(written.files, errors)
    again = validate_texts(place.texts(allowed), place.options)
    return allowed, again._replace(diagnostics=tuple(_with_allowed_as_warnings(again)))


def _with_allowed_as_warnings(checked: CheckedFleet) -> Iterator[Diagnostic]:
    """The findings of a fleet. Those that comments allow become warnings: they are true of the running cluster."""
    written = list(comment_allowances({text.name: text.content for text in checked.texts}))
    reported = {id(finding) for finding in settle(checked.diagnostics, written, Policy())}
    for finding in checked.diagnostics:
        if id(finding) in reported:
            yield finding
        elif finding.code != _OVERRIDES:  # the report lists these values
            remedy = f"it is kept as it is; to correct it, {finding.help}"
            yield finding._replace(severity=Severity.WARNING, help=remedy)
