"""Imported documents and the fleet that is already in their directory: what they change for its clusters.

The output of every cluster that is not imported must stay the same, byte by byte. Otherwise nothing is written.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import list_at, text_at
from gitgpu.adopt.adoption import ClusterDocument, Inferred
from gitgpu.adopt.existing_fleet import Fleets, changed_values, clusters_of, with_own_values
from gitgpu.adopt.verdict import PoolVerdict, unchanged_verdict
from gitgpu.diagnostic import Diagnostic, Severity, errors
from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.spec.shape import Document, shape
from gitgpu.load.text import Text
from gitgpu.model.fleet import Model, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.runs.compile import compile_parts
from gitgpu.runs.validate import CheckedFleet, validate_texts
from gitgpu.source import Span
from gitgpu.spelling import count_text
from gitgpu.write.file_texts import ClusterFiles
from gitgpu.write.spec.files import spec_files
from gitgpu.write.spec.names import FLEET

_NAME = ("metadata", "name")
_DUPLICATES = ("LNK002", "LNK003")
_NOT_WRITTEN = "use another directory with --out, or correct the existing fleet first"


class Place(NamedTuple):
    """Where a fleet is written: its directory, how it is read, and what is there; None if there is no fleet."""

    folder: str
    options: FleetOptions
    there: CheckedFleet | None = None

    def others(self, names: Collection[str]) -> set[str]:
        """The clusters of the existing fleet without these."""
        return clusters_of(self.there.documents) - set(names) if self.there else set()

    def texts(self, files: Mapping[str, str]) -> list[Text]:
        """The files as texts, after those of the existing fleet that they do not replace."""
        new = [Text(f"{self.folder}/{path}", content, path) for path, content in files.items()]
        replaced = {text.name for text in new}
        return [*(text for text in self.kept_texts if text.name not in replaced), *new]

    @property
    def kept_texts(self) -> tuple[Text, ...]:
        """The texts of the existing fleet."""
        return self.there.texts if self.there else ()


def documents_beside(documents: Sequence[ClusterDocument], place: Place) -> list[ClusterDocument]:
    """The imported documents, with every value written that the existing fleet would change."""
    return with_own_values(documents, _fleets(documents, documents, place))


def files_beside(documents: Sequence[ClusterDocument]) -> Mapping[str, str]:
    """The files of clusters that are added to a fleet: the Fleet itself stays as it is."""
    return {path: text for path, text in spec_files(documents).items() if path != FLEET}


def refusals(
    original: Sequence[ClusterDocument], documents: Sequence[ClusterDocument], place: Place
) -> list[Diagnostic]:
    """Why the imported documents cannot be added to the existing fleet. Empty if they can."""
    if place.there is None or place.there.inputs is None or errors(place.there.diagnostics):
        found = errors(place.there.diagnostics) if place.there else ()
        return [finding._replace(help=f"{finding.help}; {_NOT_WRITTEN}") for finding in found]
    after = validate_texts(place.texts(files_beside(documents)), place.options)
    if after.inputs is None:
        return list(errors(after.diagnostics))
    changed = list(changed_values(documents, _fleets(original, documents, place)))
    names = clusters_of(_documents_in(spec_files(documents)))
    more = _more_workloads(documents, after.inputs, names)
    return [*changed, *more, *_changed_clusters(place.there.inputs, after.inputs, names)]


def clusters_without_name(inferred: Iterable[Inferred], place: Place) -> Iterator[Diagnostic]:
    """A fault for a cluster without a known name, if the existing fleet has one with the name that it would get."""
    documents = place.there.documents if place.there else ()
    clusters = [document for document in documents if document.kind == "Cluster"]
    for value in inferred:
        for document in clusters:
            if value.missing and value.document == (document.kind, document.ref.name) and value.key == _NAME:
                message = f"the fleet has a Cluster {document.ref.name}, and the input does not name its cluster"
                yield Diagnostic("IMP015", Severity.ERROR, message, "pass --cluster", document.places.span(_NAME))


def renamed_clusters(documents: Iterable[ClusterDocument], place: Place) -> Iterator[Diagnostic]:
    """A fault for a cluster that the existing fleet has under a different name: both would deliver to it."""
    known = {_resource(document.data): document for document in (place.there.documents if place.there else ())}
    for _, imported in documents:
        resource = _resource({"spec": imported.spec})
        document = known.get(resource) if resource else None
        if document and document.ref.name != imported.name:
            name = document.ref.name
            message = f"the fleet has this cluster as Cluster {name}, with the same resourceId"
            remedy = f"pass --cluster {name}; to rename it, rename the Cluster of the fleet first"
            yield Diagnostic("IMP017", Severity.ERROR, message, remedy, document.places.span(_NAME))


def other_clusters_of_that_name(documents: Iterable[ClusterDocument], place: Place) -> Iterator[Diagnostic]:
    """A fault for a cluster with the name of another one in the existing fleet, such as of another resource group."""
    there = place.there.documents if place.there else ()
    known = {document.ref.name: document for document in there if document.kind == "Cluster"}
    for _, imported in documents:
        document = known.get(imported.name) if imported.kind == "Cluster" else None
        resources = {_resource({"spec": imported.spec}), _resource(document.data) if document else ""} - {""}
        if document and len(resources) > 1:
            message = f"the fleet has another Cluster {imported.name}, with a different resourceId"
            remedy = "pass another name with --cluster; if the cluster was created again, correct the resourceId first"
            yield Diagnostic("IMP022", Severity.ERROR, message, remedy, document.places.span(("spec", "resourceId")))


def documents_elsewhere(documents: Iterable[Document], there: CheckedFleet) -> Iterator[Diagnostic]:
    """A fault for each document of the fleet with the name of an imported one, in a file that is not written."""
    imported = {_identity(document, name): document for document in documents for name in _clusters_of(document)}
    files = {document.places.span().file for document in imported.values()}
    for document in there.documents:
        same_names = [name for name in _clusters_of(document) if _identity(document, name) in imported]
        if same_names and document.places.span().file not in files:
            where = "" if document.kind == "Cluster" else f" of {' and '.join(same_names)}"
            message = f"{document.kind} {document.ref.name}{where} is in this file already"
            remedy = "remove it here, or use another directory with --out"
            yield Diagnostic("IMP018", Severity.ERROR, message, remedy, document.places.span(_NAME))


def pools_not_read(inputs: Inputs, running: Mapping[str, Collection[str]]) -> Iterator[Diagnostic]:
    """A warning for each pool that the fleet has on a running cluster, and the input does not.

    `running` are the names of the pools of each running cluster, whether they are adopted or not.
    """
    for cluster in inputs.clusters_named(running):
        for pool in inputs.pools_on(cluster):
            if not pool.retire and pool.name not in running[cluster.name]:
                message = (
                    f"the input does not contain pool {pool.name} of cluster {cluster.name}: a build would create it"
                )
                remedy = "remove it, or import again with what describes it, if it runs"
                yield Diagnostic("IMP019", Severity.WARNING, message, remedy, pool.origin.span(_NAME))


def _clusters_of(document: Document) -> list[str]:
    """The clusters that the document of a cluster, a pool or a workload names."""
    if document.kind == "Cluster":
        return [document.ref.name]
    return [str(name) for name in list_at(document.data, "spec", "clusters")] if document.kind != "Fleet" else []


def _identity(document: Document, cluster: str) -> tuple[str, ...]:
    return document.kind, cluster, document.ref.namespace, document.ref.name


def _resource(document: Mapping[str, Any]) -> str:
    """The ID of a cluster in Azure, in lower case; "" without one, and for documents of other kinds."""
    return text_at(document, "spec", "resourceId").lower()


def verdicts_of_same_output(inputs: Inputs, names: Collection[str]) -> Iterator[PoolVerdict]:
    """The verdict for each pool of these clusters, whose output is the same as before."""
    for cluster in inputs.clusters:
        if cluster.name in names:
            for pool in inputs.pools_on(cluster):
                yield unchanged_verdict(cluster.name, pool.name, by_karpenter=pool.by_karpenter)


def new_findings(after: CheckedFleet, place: Place, files: Collection[str]) -> Iterator[Diagnostic]:
    """The findings about these files, and those that the rest of the fleet did not have before."""
    written = {f"{place.folder}/{path}" for path in files}
    known = {(finding.code, finding.span) for finding in place.there.diagnostics} if place.there else set()
    for finding in after.diagnostics:
        if finding.code in _DUPLICATES:
            yield finding._replace(help="an earlier import or you wrote the other: remove one of the two")
        elif finding.span.file in written or (finding.code, finding.span) not in known:
            yield finding


def _fleets(original: Sequence[ClusterDocument], documents: Sequence[ClusterDocument], place: Place) -> Fleets:
    return Fleets(_documents_in(spec_files(original)), shape(place.texts(files_beside(documents)))[0])


def _documents_in(files: Mapping[str, str]) -> Sequence[Document]:
    return shape([Text(path, text, path) for path, text in files.items()])[0]


def _more_workloads(
    documents: Sequence[ClusterDocument], after: Inputs, names: Collection[str]
) -> Iterator[Diagnostic]:
    """A fault for each workload of the existing fleet that would also run on one of these new clusters."""
    own = {entry.document.folder for entry in documents if entry.document.kind == "GpuWorkload"}
    for cluster in after.clusters_named(names):
        pools = {pool.name for pool in after.pools_on(cluster)}
        placed: list[Workload | Model] = [*after.workloads_on(cluster), *after.models_on(cluster)]
        for workload in placed:
            if f"{workload.namespace}.{workload.name}" not in own and pools.intersection(workload.pools):
                message = f"GpuWorkload {workload.name} would also run on cluster {cluster.name}, which has its pool"
                remedy = "import the cluster into another directory with --out"
                yield Diagnostic("IMP012", Severity.ERROR, message, remedy, workload.origin.span(_NAME))


def _changed_clusters(before: Inputs, after: Inputs, names: Collection[str]) -> Iterator[Diagnostic]:
    """A fault for each cluster without one of these names whose output is not the same."""
    others = [cluster.name for cluster in before.clusters if cluster.name not in names]
    was, now = _outputs(before, others), _outputs(after, others)
    for name in others:
        files, new_files = dict(zip(*was[name], strict=True)), dict(zip(*now[name], strict=True))
        paths = sorted(path for path in files.keys() | new_files.keys() if files.get(path) != new_files.get(path))
        if paths:
            more = f" and {count_text(len(paths) - 1, 'other file')}" if len(paths) > 1 else ""
            message = f"this import would change what is built for cluster {name}: {paths[0]}{more}"
            remedy = "give each cluster files of its own in the existing fleet, or use another directory with --out"
            yield Diagnostic("IMP013", Severity.ERROR, message, remedy, _place_of(before, name))


def _outputs(inputs: Inputs, names: Collection[str]) -> dict[str, ClusterFiles]:
    """What is built for each of these clusters; no files for a cluster that cannot be compiled, or does not exist."""
    outputs = dict.fromkeys(names, ClusterFiles((), ()))
    for part in compile_parts(inputs, inputs.clusters_named(names), 1):
        if not isinstance(part, Exception):
            outputs |= {name: compiled.files for name, compiled in part.items()}
    return outputs


def _place_of(inputs: Inputs, name: str) -> Span:
    [cluster] = inputs.clusters_named([name])
    return cluster.origin.span(("metadata", "name"))
