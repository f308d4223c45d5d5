"""The compiler, step by step. Read this first: each step is a folder, and passes a frozen value to the next."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from gitgpu.conform import Norms, conform, own_norms
from gitgpu.conform.objects import Given
from gitgpu.diagnostic import Diagnostic, Severity, worst
from gitgpu.emit import emit, emitters, pages
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.front import Checked, not_allowed, validate
from gitgpu.jobs import results, shares, usual
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.schemas import Schemas
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.patch import patched
from gitgpu.plan import plan
from gitgpu.source import SourceMap
from gitgpu.write.file_texts import ClusterFiles, FileTexts, Parts, cluster_files
from gitgpu.write.fleet_records import record_of
from gitgpu.write.layout import Rendered, bind, lay_out

ENOUGH = 60  # clusters: compiling them takes longer than starting a process for each core
FEW = 2000  # clusters in order of kind: of more, every worker would copy the memory, which is in order of name
LARGEST = 250  # clusters that are compiled at once: a worker holds all their files until it has sent them


class Build(NamedTuple):
    """The checked fleet, the faults found in our own output, and the files of the clusters that were built.

    There are files or there are errors, never both.
    """

    checked: Checked
    faults: tuple[Diagnostic, ...] = ()
    clusters: tuple[str, ...] = ()
    texts: FileTexts = FileTexts()

    @property
    def files(self) -> Mapping[str, str]:
        """The whole text of each file by its path."""
        return dict(self.texts)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Why there are no files; empty where there are."""
        found = (*self.checked.diagnostics, *self.faults)
        return tuple(finding for finding in found if finding.severity is Severity.ERROR)


Pick: TypeAlias = Callable[[Sequence[str]], Sequence[str]]
Look: TypeAlias = Callable[[Iterable[str], tuple[Folder, ...]], Checked]


class Manner(NamedTuple):
    """How a build runs. The result does not depend on it.

    `proven` says that this program has already built this spec with this catalog and checked the output, so it is
    not checked again. `jobs` is the number of processes, or None for what suits the number of clusters.
    """

    proven: bool = False
    jobs: int | None = 1


def build(
    paths: Iterable[str],
    catalogs: tuple[Folder, ...],
    pick: Pick,
    look: Look = validate,
    manner: Manner = Manner(),  # noqa: B008  a frozen value
) -> Build:
    """The files of the selected clusters, unless the fleet or our own output has an error.

    `look` is how the fleet is read and checked, and so which findings count.
    """
    checked = look(paths, catalogs)  # load, model, check
    if checked.inputs is None or worst(checked.diagnostics) is Severity.ERROR:
        return Build(checked)
    clusters = {cluster.name: cluster for cluster in checked.inputs.clusters}
    picked = tuple(pick(list(clusters)))
    norms = None if manner.proven else own_norms(Schemas(), checked.inputs.catalog)
    try:
        files, faults = _compiled(checked.inputs, [clusters[name] for name in picked], norms, manner.jobs)
    except Exception as error:  # noqa: BLE001  of what an allowed error lets through
        return Build(checked, not_allowed(checked, error), picked)
    faults = [fault for fault in faults if fault not in checked.allowed]
    return Build(checked, tuple(faults), picked, FileTexts() if worst(faults) is Severity.ERROR else files)


def uncompiled(checked: Checked) -> tuple[Diagnostic, ...]:
    """The allowed errors that a build would refuse: ALW004 at each."""
    if not checked.allowed:
        return ()
    return build((), (), lambda names: names, lambda *_: checked, Manner(proven=True)).faults


def _compiled(
    inputs: Inputs, clusters: Sequence[Cluster], norms: Norms | None, jobs: int | None
) -> tuple[FileTexts, list[Diagnostic]]:
    """The files of these clusters, and the faults found in them."""

    def part(share: tuple[int, int]) -> list[_Compiled]:
        return list(_compiled_here(inputs, similar[slice(*share)], norms))

    similar = _by_kind(inputs, clusters) if len(clusters) <= FEW else clusters
    number = usual(len(clusters), ENOUGH) if jobs is None else jobs
    first = min(len(clusters), 1) if number > 1 else 0  # here, so that all workers have what it takes to compile one
    rest = [(first + start, first + end) for start, end in shares(len(clusters) - first, number, LARGEST)]
    compiled: list[_Compiled] = []
    known: dict[ClusterFiles, ClusterFiles] = {}
    for more in chain([part((0, first))], results(part, rest, number)):
        # What several workers have sent shares its memory.
        compiled += [result._replace(files=known.setdefault(result.files, result.files)) for result in more]
    found = {cluster.name: result for cluster, result in zip(similar, compiled, strict=True)}
    faults = list(chain.from_iterable(found[cluster.name].faults for cluster in clusters))
    return FileTexts({cluster.name: found[cluster.name].files for cluster in clusters}), faults


def _by_kind(inputs: Inputs, clusters: Sequence[Cluster]) -> Sequence[Cluster]:
    """Clusters of one kind after each other: the fewer kinds a process has, the more of its objects are equal."""
    return sorted(clusters, key=lambda cluster: (cluster.kubernetes, [pool.name for pool in inputs.pools_on(cluster)]))


class _Compiled(NamedTuple):
    """The files of a cluster, and the faults found in them."""

    files: ClusterFiles
    faults: Sequence[Diagnostic]


def _compiled_here(inputs: Inputs, clusters: Sequence[Cluster], norms: Norms | None) -> Iterator[_Compiled]:
    using, beside = emitters(), pages()
    shared: dict[Any, Any] = {}
    rendered: Rendered = {}
    for cluster in clusters:
        decided = plan(inputs, cluster)
        manifests = patched(emit(decided, using), decided).manifests
        faults = conform(map(_given, manifests), cluster.kubernetes, norms) if norms else ()
        files = lay_out(manifests, {cluster.name: record_of(inputs, cluster)}, rendered)
        written = bind(cluster.name, decided.mark, {page.name: page.write(decided) for page in beside})
        files |= {path: Parts(text) for path, text in written.items()}
        yield _Compiled(cluster_files(cluster.name, files, shared), faults)


def _given(manifest: Manifest) -> Given:
    """A manifest that gitgpu emitted. Its values are located at the line of the spec that they come from."""
    places = manifest.places or SourceMap.of(manifest.origin.span)
    return Given(manifest.body, places, manifest.role is Role.PATCH)
