"""Running clusters to a fleet, and the proof that it keeps their nodes: adopt, write, compile, compare."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from gitgpu.access import reach
from gitgpu.adopt.adoption import Adopted, ClusterDocument, Outcome, Refused
from gitgpu.adopt.clusters import ClusterOptions, cluster_name, distinct_clusters
from gitgpu.adopt.comparison import compared_nodes
from gitgpu.adopt.compiled import all_manifests, node_object, node_objects
from gitgpu.adopt.existing_fleet import fleet_without_defaults
from gitgpu.adopt.fleet import Known, adopt_fleet
from gitgpu.adopt.needed_pins import with_needed_pins
from gitgpu.adopt.node.node_objects import as_ours, is_of_nodes, unapplied_pools
from gitgpu.adopt.node.refused import refused_objects
from gitgpu.adopt.node.unknown_fields import apart, known_fields
from gitgpu.adopt.replaced import Replaced, objects_to_remove
from gitgpu.adopt.stack.kept_values import with_kept_values
from gitgpu.adopt.stack.written_values import with_changes
from gitgpu.adopt.undescribed_pools import Described, undescribed_pools
from gitgpu.adopt.verdict import PoolVerdict
from gitgpu.compare.nodes import Context
from gitgpu.diagnostic import Diagnostic, Severity, in_order
from gitgpu.inventory.observed import Inventory, ObservedCluster
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.schemas import Schemas
from gitgpu.load.spec.shape import Document
from gitgpu.load.spec.unfilled import UNFILLED
from gitgpu.model.catalog import catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.kinds import AKS_NODE_CLASS
from gitgpu.objects.schema.contract import Contracts
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
    refusals,
    verdicts_of_same_output,
)
from gitgpu.runs.validate import CheckedFleet, validate_texts
from gitgpu.source import Span
from gitgpu.write.spec.allowances import with_allowances
from gitgpu.write.spec.files import spec_files


class Imported(NamedTuple):
    """The files of a fleet below `folder`, what each running object became, the findings, and the proof.

    With `refusals`, nothing may be written: the existing fleet would do harm to new clusters, or they to its clusters.
    """

    folder: str
    files: Mapping[str, str]
    adopted: Adopted
    checked: CheckedFleet
    verdicts: tuple[PoolVerdict, ...]
    inventory: Inventory
    refusals: tuple[Diagnostic, ...] = ()
    replaced: tuple[Replaced, ...] = ()

    @property
    def documents(self) -> list[Document]:
        """The documents in these files, without those of the rest of an existing fleet."""
        written = {f"{self.folder}/{path}" for path in self.files}
        return [entry for entry in self.checked.documents if entry.places.span().file in written]

    def report(self, faults: Iterable[Diagnostic] = ()) -> ImportReport:
        """The report of the import. `faults` were found while the documents were read."""
        lines = SpecLines(self.documents)
        outcomes = tuple(Reported(outcome, lines.of(outcome)) for outcome in self.adopted.outcomes)
        return ImportReport(
            folder=self.folder,
            outcomes=outcomes,
            verdicts=self.verdicts,
            skipped=self.inventory.skipped,
            inferred=self.adopted.inferred,
            replaced=self.replaced,
            findings=in_order((*faults, *(entry for entry in self.checked.diagnostics if entry.code != UNFILLED))),
            written=tuple(f"{self.folder}/{path}" for path in self.files),
        )


def import_fleet(
    inventory: Inventory,
    options: ClusterOptions,
    catalogs: tuple[Folder, ...],
    folder: str,
    there: CheckedFleet | None = None,
) -> Imported:
    """Imports an inventory as the files of a fleet, to be written to `folder`. `there` is the fleet that it contains.

    If that has other clusters, they and the Fleet stay as they are, and the imported clusters are added.
    """
    context = Context(catalog(catalogs), Contracts(Schemas()))
    clusters, renamed = distinct_clusters(inventory.clusters, options)
    read = known_fields(inventory._replace(clusters=tuple(clusters)), context.contracts)
    place = Place(folder, FleetOptions(catalogs), there)
    others = place.others({cluster_name(seen, options) for seen in clusters})
    base = fleet_without_defaults(there.documents) if there and others else None
    known = Known(options, _refused_objects(read.inventory.clusters, context), base, place.pools(others))
    fleet = adopt_fleet(read.inventory, known, context)
    unapplied = tuple(unapplied_pools(read.inventory.skipped, context))
    fleet = fleet._replace(outcomes=(*fleet.outcomes, *apart(read.outcomes, fleet.outcomes), *unapplied))
    reported = {id(outcome.observed) for outcome in unapplied}
    skipped = tuple(entry for entry in read.inventory.skipped if id(entry.observed) not in reported)
    alone = place._replace(there=None)
    files, checked = _with_allowed_errors(spec_files(fleet.documents), alone)
    needed = with_kept_values(with_needed_pins(fleet, checked.inputs), checked.inputs)
    if needed.documents != fleet.documents:
        files, checked = _with_allowed_errors(spec_files(needed.documents), alone)
    fleet = with_changes(needed._replace(inferred=(*needed.inferred, *renamed)), checked.inputs)
    made = Imported(folder, files, fleet, checked, (), read.inventory._replace(skipped=skipped))
    return _proven(_beside(made, place, others), others, options, context)


def _beside(made: Imported, place: Place, others: Collection[str]) -> Imported:
    """The import with the files for its directory, which may contain a fleet with other clusters."""
    documents: Sequence[ClusterDocument] = made.adopted.documents
    refused: list[Diagnostic] = []
    if others:
        documents = documents_beside(documents, place)
        refused = refusals(made.adopted.documents, documents, place)
    refused += clusters_without_name(made.adopted.inferred, place)
    files, checked = made.files, made.checked
    if place.there:  # without a fleet in the directory, the same files have been checked
        files, checked = _with_allowed_errors(files_beside(documents) if others else spec_files(documents), place)
    checked = checked._replace(diagnostics=tuple(new_findings(checked, place, files)))
    return made._replace(files=files, checked=checked, refusals=tuple(refused))


def _proven(made: Imported, others: Collection[str], options: ClusterOptions, context: Context) -> Imported:
    """The import with a verdict for each pool of the fleet. Output for `others` is the same as before."""
    inputs = made.checked.inputs
    if inputs is None or made.refusals:
        return made
    verdicts = [*proof(made.inventory.clusters, options, inputs, context), *verdicts_of_same_output(inputs, others)]
    by_cluster = tuple(sorted(verdicts, key=lambda verdict: verdict.cluster))
    return made._replace(verdicts=by_cluster, replaced=tuple(_replaced_software(made, options, inputs)))


def _replaced_software(made: Imported, options: ClusterOptions, inputs: Inputs) -> Iterator[Replaced]:
    """The running software that must be removed before the overlays of its cluster are applied."""
    named = {cluster.name: cluster for cluster in inputs.clusters}
    for running in made.inventory.clusters:
        cluster = named.get(cluster_name(running, options))
        if cluster:
            yield from objects_to_remove(running, made.adopted.outcomes, all_manifests(inputs, cluster))


def _refused_objects(clusters: Iterable[ObservedCluster], context: Context) -> list[Refused]:
    """The objects that the API server would reject."""
    used = norms(Schemas(), context.catalog)
    refused: list[Refused] = []
    for cluster in clusters:
        refused += refused_objects(cluster, used)
    return refused


def _with_allowed_errors(files: Mapping[str, str], place: Place) -> tuple[Mapping[str, str], CheckedFleet]:
    """The files with the errors about running nodes suppressed, because these must not change."""
    checked = validate_texts(place.texts(files), place.options)
    of_running_nodes = {rule.code for rule in fleet_rules() if rule.of_running_nodes}
    errors: list[Diagnostic] = []
    for finding in checked.diagnostics:
        if finding.code in of_running_nodes:
            span = finding.span._replace(file=finding.span.file.removeprefix(f"{place.folder}/"))
            errors.append(finding._replace(span=span))
    if not errors:
        return files, checked
    allowed = with_allowances(files, errors)
    again = validate_texts(place.texts(allowed), place.options)
    return allowed, again._replace(diagnostics=tuple(_with_allowed_as_warnings(again)))


def _with_allowed_as_warnings(checked: CheckedFleet) -> Iterator[Diagnostic]:
    """The findings of a fleet. Those that comments allow become warnings: they are true of the running cluster."""
    written = list(comment_allowances({text.name: text.content for text in checked.texts}))
    reported = {id(finding) for finding in settle(checked.diagnostics, written, Policy())}
    for finding in checked.diagnostics:
        if id(finding) in reported:
            yield finding
        else:
            remedy = f"it is kept as it is; to correct it, {finding.help}"
            yield finding._replace(severity=Severity.WARNING, help=remedy)


def check_running_clusters(inventory: Inventory, options: ClusterOptions, checked: CheckedFleet) -> ImportReport:
    """Whether the nodes of running clusters stay as they are with an existing fleet."""
    if checked.inputs is None:
        return ImportReport("", (), (), inventory.skipped, checked=True)
    context = Context(checked.inputs.catalog, Contracts(Schemas()))
    clusters, _ = distinct_clusters(inventory.clusters, options)
    read = known_fields(inventory._replace(clusters=tuple(clusters)), context.contracts).inventory
    verdicts = tuple(proof(read.clusters, options, checked.inputs, context))
    clusters_by_name = {cluster.name: cluster for cluster in checked.inputs.clusters}
    missing: list[Reported] = []
    for running in read.clusters:
        name = cluster_name(running, options)
        pools = {(verdict.change.of, verdict.change.name) for verdict in verdicts if verdict.cluster == name}
        described = Described(name, clusters_by_name.get(name), pools)
        missing += map(Reported, undescribed_pools(running, described, context))
    return ImportReport("", tuple(missing), verdicts, inventory.skipped, checked=True)


def proof(
    clusters: Iterable[ObservedCluster], options: ClusterOptions, inputs: Inputs, context: Context
) -> Iterator[PoolVerdict]:
    """The verdict for each pool of the fleet, in order of cluster and name."""
    named = {cluster.name: cluster for cluster in inputs.clusters}
    for running in clusters:
        cluster = named.get(cluster_name(running, options))
        if cluster:
            yield from _proof(running, cluster, inputs, context)


def _proof(running: ObservedCluster, cluster: Cluster, inputs: Inputs, context: Context) -> Iterator[PoolVerdict]:
    before = {}
    for observed in running.objects:
        if is_of_nodes(observed.body):
            stored = node_object(as_ours(observed.body), cluster.name)
            before[stored.key] = stored
    after = node_objects(inputs, cluster)
    classes = {obj.identity.name for obj in before.values() if obj.identity.kind == AKS_NODE_CLASS.kind}
    compared = compared_nodes(before, after, cluster.region, context)
    objects = {(obj.identity.kind, obj.identity.name): obj for obj in after.values()}
    for key, change in sorted(compared.pools.items()):
        if key in objects:
            of_class = reach(objects[key].body, "spec", "template", "spec", "nodeClassRef", "name")
            unread = of_class if of_class and of_class not in classes else ""
            yield PoolVerdict(cluster.name, change, str(unread))


class SpecLines:
    """Finds the lines of a spec that an object was imported to."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents: dict[tuple[str, str], list[Document]] = {}
        for document in documents:
            self.documents.setdefault((document.kind, document.ref.name), []).append(document)

    def of(self, outcome: Outcome) -> Span | None:
        """The line, or None if the object did not become a key of the spec."""
        if outcome.into is None:
            return None
        kind, name, pointer = outcome.into
        documents = self.documents.get((kind, name), [])
        return documents[0].places.span(pointer, key=bool(pointer)) if documents else None
