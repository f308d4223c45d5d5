"""Two builds of a fleet to a plan: what differs, with the consequences. The work is shared between processes."""

from collections.abc import Sequence
from typing import NamedTuple

from gitgpu.compare import Both, ClusterChange, Context, compare_clusters
from gitgpu.compare.sides import Sides
from gitgpu.counting import Count, counting, no_count
from gitgpu.diagnostic import Diagnostic
from gitgpu.jobs import processes, results, shares
from gitgpu.load.catalog.evidence import evidence
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import Catalog
from gitgpu.model.inputs import Inputs
from gitgpu.objects.manifest.manifests import NO_MANIFESTS, Manifests
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.report.comparison.planned import Planned
from gitgpu.runs.admission import with_lost_admissions
from gitgpu.runs.baseline import Baseline, versions_in
from gitgpu.runs.build import MIN_PARALLEL, Build


class PlanOptions(NamedTuple):
    """The minutes per node, to estimate the total time (None: no estimate), and the number of processes.

    `workloads` are on all clusters. With them, more is known about who waits for quota.
    `on_count` gets the number of compared clusters.
    """

    minutes: int | None = None
    jobs: int | None = None
    workloads: Manifests = NO_MANIFESTS
    on_count: Count = no_count


def plan_build(
    first: Baseline,
    after: Build,
    inputs: Inputs,
    picked: Sequence[str],
    options: PlanOptions = PlanOptions(),  # noqa: B008
) -> tuple[Planned, tuple[Diagnostic, ...]]:
    """What a build changes on these clusters compared with the baseline, and what cannot be read."""
    context = Context(inputs.catalog, Contracts(Schemas()), options.minutes)
    jobs = processes(options.jobs, len(picked), MIN_PARALLEL)
    both = _both(first, after, inputs)
    changes, unread = _compare(both, context, sorted(picked), options._replace(jobs=jobs))
    changes = list(with_lost_admissions(changes, both, options.workloads, inputs.catalog))
    today = inputs.today or evidence(inputs.catalog.files).checked
    return Planned(tuple(changes), first.description, _currency(inputs), inputs.rings, today), tuple(unread)


def plan_catalogs(
    first: Baseline, after: Build, older: Catalog, inputs: Inputs
) -> tuple[Planned, tuple[Diagnostic, ...]]:
    """What a newer catalog changes in a fleet, also in how far pools can grow, and what cannot be read.

    The baseline is the same fleet, built with the `older` catalog.
    """
    contracts = Contracts(Schemas())
    context = Context(inputs.catalog, contracts, older=Context(older, contracts))
    changes, unread = compare_clusters(_both(first, after, inputs), context, sorted(after.clusters))
    return Planned(tuple(changes), first.description, _currency(inputs)), tuple(unread)


def _both(first: Baseline, after: Build, inputs: Inputs) -> Both:
    regions = {cluster.name: cluster.region for cluster in inputs.clusters}
    return Both(first.files, after.files, first.prefix, regions, Sides(first.versions, versions_in(inputs)))


def _currency(inputs: Inputs) -> str:
    """The currency of all prices: that of any region will do."""
    prices = inputs.catalog.facts("prices", next((cluster.region for cluster in inputs.clusters), ""))
    return prices["currency"] if prices else ""


def _compare(
    both: Both, context: Context, names: Sequence[str], options: PlanOptions
) -> tuple[list[ClusterChange], list[Diagnostic]]:
    differences: list[ClusterChange] = []
    unread: list[Diagnostic] = []
    jobs = options.jobs or 1
    parts = shares(len(names), jobs)

    def compare(share: tuple[int, int]) -> tuple[list[ClusterChange], list[Diagnostic]]:
        return compare_clusters(both, context, counting(names[slice(*share)], options.on_count))

    for (_, end), (changes, faults) in zip(parts, results(compare, parts, jobs), strict=True):
        options.on_count(end, len(names))
        differences += changes
        unread += faults
    return differences, unread
