"""Two builds of a fleet to a plan: what differs, with the consequences. The work is shared between processes."""

from collections.abc import Sequence
from typing import NamedTuple

from gitgpu.compare import Both, ClusterChange, Context, compare_clusters
from gitgpu.compare.sides import Sides
from gitgpu.counting import Count, counting, uncounted
from gitgpu.diagnostic import Diagnostic
from gitgpu.jobs import processes, results, shares
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import Catalog
from gitgpu.model.inputs import Inputs
from gitgpu.objects.schema.contract import Contracts
from gitgpu.report.comparison.planned import Planned
from gitgpu.runs.baseline import Baseline, versions_in
from gitgpu.runs.build import MIN_PARALLEL, Build


class Effort(NamedTuple):
    """The minutes per node, to estimate the total time (None: no estimate), and the number of processes.

    `on_count` gets the number of compared clusters.
    """

    minutes: int | None = None
    jobs: int | None = None
    on_count: Count = uncounted


def plan_build(
    first: Baseline,
    after: Build,
    inputs: Inputs,
    picked: Sequence[str],
    effort: Effort = Effort(),  # noqa: B008
) -> tuple[Planned, tuple[Diagnostic, ...]]:
    """What a build changes on these clusters compared with the baseline, and what cannot be read."""
    context = Context(inputs.catalog, Contracts(Schemas()), effort.minutes)
    jobs = processes(effort.jobs, len(picked), MIN_PARALLEL)
    changes, unread = _compare(_both(first, after, inputs), context, sorted(picked), effort._replace(jobs=jobs))
    return Planned(tuple(changes), first.description, _currency(inputs), inputs.rings), tuple(unread)


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
    both: Both, context: Context, names: Sequence[str], effort: Effort
) -> tuple[list[ClusterChange], list[Diagnostic]]:
    differences: list[ClusterChange] = []
    unread: list[Diagnostic] = []
    jobs = effort.jobs or 1
    parts = shares(len(names), jobs)

    def compare(share: tuple[int, int]) -> tuple[list[ClusterChange], list[Diagnostic]]:
        return compare_clusters(both, context, counting(names[slice(*share)], effort.on_count))

    for (_, end), (changes, faults) in zip(parts, results(compare, parts, jobs), strict=True):
        effort.on_count(end, len(names))
        differences += changes
        unread += faults
    return differences, unread
