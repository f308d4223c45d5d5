"""The second half of the compiler: clusters to the texts of their files, and the faults in them."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple, TypeAlias

from gitgpu.counting import Count, counting, no_count
from gitgpu.diagnostic import Diagnostic
from gitgpu.emit import emit, emitters, pages
from gitgpu.emit.manifest import Manifest
from gitgpu.emit.node.agent_pool import kinds_beyond
from gitgpu.jobs import results, shares
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.cluster_releases import cluster_releases
from gitgpu.objects.safeguards import Safeguards
from gitgpu.patch import apply_patches
from gitgpu.patch.emitted import as_given
from gitgpu.plan.cluster_plan import plan
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.runs.check_output import Emitted, OutputCheck
from gitgpu.write.file_texts import ClusterFiles, Parts, cluster_files
from gitgpu.write.fleet_records import record_of
from gitgpu.write.layout import Rendered, bind, lay_out

# Clusters that are sorted by kind; memory is in order of name, and with more, each worker would copy it.
MAX_SORTED = 2000
MAX_PART = 250  # clusters in one part: a worker holds all files of a part until it has sent them


class Compiled(NamedTuple):
    """The files of a cluster, and the faults found in them."""

    files: ClusterFiles
    faults: Sequence[Diagnostic]


Part: TypeAlias = dict[str, Compiled] | Exception


def compile_parts(
    inputs: Inputs,
    clusters: Sequence[Cluster],
    jobs: int,
    check: OutputCheck | None = None,
    count: Count = no_count,
) -> Generator[Part, None, None]:
    """Compiles clusters, and yields them by name, in parts. Other processes start before the first part is yielded.

    Each has the faults that `check` finds in its objects.
    """

    def part(share: tuple[int, int]) -> Part:
        plans = ordered[slice(*share)]
        try:
            # What another process counts is not seen here: with several, parts are counted.
            counted = counting(plans, count if jobs == 1 else no_count)
            outputs = zip(plans, _compile(inputs, counted, check), strict=True)
            return {cluster.name: output for cluster, output in outputs}
        except Exception as error:  # noqa: BLE001  an error that the user allowed can make any step fail
            return error

    ordered = _by_kind(inputs, clusters) if len(clusters) <= MAX_SORTED else clusters
    # The first cluster is compiled before the forks, so that workers share the modules that this imports.
    first = min(len(clusters), 1) if jobs > 1 else len(clusters)
    first_part = part((0, first))
    rest = [(first + start, first + end) for start, end in shares(len(clusters) - first, jobs, MAX_PART)]
    with closing(results(part, rest, jobs)) as others:
        yield first_part
        for (_, end), other in zip(rest, others, strict=True):
            count(end, len(clusters))
            yield other


def _by_kind(inputs: Inputs, clusters: Sequence[Cluster]) -> Sequence[Cluster]:
    """Sorts clusters by kind: the fewer kinds a process compiles, the more of its objects are equal."""
    return sorted(clusters, key=lambda cluster: (cluster.kubernetes, [pool.name for pool in inputs.pools_on(cluster)]))


def _compile(inputs: Inputs, clusters: Iterable[Cluster], check: OutputCheck | None) -> Iterator[Compiled]:
    using, runbook = emitters(), pages()
    shared: dict[Any, Any] = {}  # equal texts of clusters are kept once
    rendered: Rendered = {}  # equal objects of clusters are rendered once
    for cluster in clusters:
        decided = plan(inputs, cluster)
        manifests = apply_patches(emit(decided, using), decided).manifests
        faults = check(_emitted(inputs, decided, manifests)) if check else ()
        files = lay_out(manifests, {cluster.name: record_of(inputs, cluster)}, rendered)
        written = bind(cluster.name, decided.mark, {page.name: page.write(decided) for page in runbook})
        files |= {path: Parts(text) for path, text in written.items()}
        yield Compiled(cluster_files(cluster.name, files, shared), faults)


def _emitted(inputs: Inputs, plan: ClusterPlan, manifests: Sequence[Manifest]) -> Emitted:
    """What is checked about a cluster."""
    cluster = plan.cluster
    safeguards = Safeguards(cluster.excluded) if cluster.is_automatic else None
    versions = cluster_releases(inputs, cluster)
    given, beyond = tuple(map(as_given, manifests)), kinds_beyond(plan)
    return given, beyond, cluster.kubernetes, versions, safeguards, inputs.today
