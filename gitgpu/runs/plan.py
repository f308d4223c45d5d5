"""Two builds of a fleet to a plan: what differs, with the consequences. The work is shared between processes."""

from collections.abc import Sequence
from typing import NamedTuple

from gitgpu.compare import Both, ClusterChange, Context, compare_clusters
from gitgpu.compare.sides import Sides
from gitgpu.diagnostic import Diagnostic
from gitgpu.jobs import processes, shares, spread
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import Catalog
from gitgpu.model.inputs import Inputs
from gitgpu.objects.manifest.manifests import NO_MANIFESTS, Manifests
from gitgpu.objects.schema.contract import Contracts
from gitgpu.report.comparison.planned import Planned
from gitgpu.runs.admission import with_lost_admissions
from gitgpu.runs.baseline import Baseline, versions_in
from gitgpu.runs.build import MIN_PARALLEL, Build


class PlanOptions(NamedTuple):
    """The minutes per node, to estimate the total time (None: no estimate), and the number of processes.

    `workloads` are on all clusters. With them, more is known about who waits for quota.
    """

    minutes: int | None = None
    jobs: int | None = None
    workloads: Manifests = NO_MANIFESTS


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
    changes, unread = _compare(both, context, sorted(picked), jobs)
    changes = list(with_lost_admissions(changes, both, options.workloads, inputs.catalog))
    return Planned(tuple(changes), first.description, _currency(inputs), inputs.rings), tuple(unread)


def plan_catalogs(
    first: Baseline, after: Build, older: Catalog, inputs: Inputs
) -> tuple[Planned, tuple[Diagnostic, ...]]:
    """What a newer catalog changes in a fleet, also in how far pools can grow, and what cannot be read.

    The baseline is the same fleet, built with the `older` catalog.
    """
    contracts = Contracts(Schemas())
    context = Context(inputs.catalog, contracts, older=Context(older, contracts))
    changes, unread = compare_clusters(_both(first, after, inputs), context, after.clusters)
    return Planned(tuple(changes), first.description, _currency(inputs)), tuple(unread)


def _both(first: Baseline, after: Build, inputs: Inputs) -> Both:
    regions = {cluster.name: cluster.region for cluster in inputs.clusters}
    return Both(first.files, after.files, first.prefix, regions, Sides(first.versions, versions_in(inputs)))


def _currency(inputs: Inputs) -> str:
    """The currency of all prices: that of any region will do."""
    prices = inputs.catalog.facts("prices", next((cluster.region for cluster in inputs.clusters), ""))
    return prices["currency"] if prices else ""


def _compare(
    both: Both, context: Context, names: Sequence[str], jobs: int
) -> tuple[list[ClusterChange], list[Diagnostic]]:
    differences: list[ClusterChange] = []
    unread: list[Diagnostic] = []
    parts = spread(lambda share: compare_clusters(both, context, names[slice(*share)]), shares(len(names), jobs), jobs)
    for changes, faults in parts:
        differences += changes
        unread += faults
    return differences, unread
