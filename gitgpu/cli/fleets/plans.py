"""Compares two builds of a fleet, with the work shared between processes."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gitgpu.compare import Both, ClusterChange, Context, compare_clusters
from gitgpu.compare.sides import Sides
from gitgpu.diagnostic import Diagnostic
from gitgpu.jobs import processes, shares, spread
from gitgpu.load.schemas import Schemas
from gitgpu.model.inputs import Inputs
from gitgpu.objects.schema.contract import Contracts
from gitgpu.report.comparison.planned import Planned
from gitgpu.runs.build import MIN_PARALLEL, Build


class Baseline(NamedTuple):
    """The first side: its files, its description, the prefix of its paths in faults, and its faults.

    `versions` are the Kubernetes versions by cluster, as recorded in overlays or the spec.
    """

    files: dict[str, str]
    description: str
    prefix: str = ""
    faults: tuple[Diagnostic, ...] = ()
    versions: Mapping[str, str] = {}


class Effort(NamedTuple):
    """The minutes per node, to estimate the total time (None: no estimate), and the number of processes."""

    minutes: int | None = None
    jobs: int | None = None


def plan_build(
    first: Baseline,
    after: Build,
    inputs: Inputs,
    picked: Sequence[str],
    effort: Effort = Effort(),  # noqa: B008
) -> tuple[Planned, tuple[Diagnostic, ...]]:
    """What a build changes on these clusters compared with the baseline, and what cannot be read."""
    regions = {cluster.name: cluster.region for cluster in inputs.clusters}
    context = Context(inputs.catalog, Contracts(Schemas()), effort.minutes)
    versions = {cluster.name: cluster.kubernetes for cluster in inputs.clusters}
    both = Both(first.files, after.files, first.prefix, regions, Sides(first.versions, versions))
    jobs = processes(effort.jobs, len(picked), MIN_PARALLEL)
    changes, unread = _compared(both, context, sorted(picked), jobs)
    # All prices have the same currency, so that of any region will do.
    prices = inputs.catalog.facts("prices", next(iter(regions.values()), ""))
    return Planned(tuple(changes), first.description, prices["currency"] if prices else "", inputs.rings), tuple(unread)


def _compared(
    both: Both, context: Context, names: Sequence[str], jobs: int
) -> tuple[list[ClusterChange], list[Diagnostic]]:
    differences: list[ClusterChange] = []
    unread: list[Diagnostic] = []
    parts = spread(lambda share: compare_clusters(both, context, names[slice(*share)]), shares(len(names), jobs), jobs)
    for changes, faults in parts:
        differences += changes
        unread += faults
    return differences, unread
