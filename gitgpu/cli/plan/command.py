"""Show what a change to the fleet does: objects, replaced nodes, GPUs, cost."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.fleets.findings import refuse_fleet
from gitgpu.cli.fleets.stamp import matching_stamp, stamp_of
from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.cli.input.texts import by_name, read_searched
from gitgpu.cli.output.progress import progress
from gitgpu.cli.output.streams import show
from gitgpu.cli.parameters import as_value
from gitgpu.cli.settings import Settings, fleet_settings, with_out_directory_faults
from gitgpu.counting import Count
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.spec.texts import read_spec
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.report.comparison.planned import matches_pool
from gitgpu.report.findings import Style
from gitgpu.report.plan_formats import plan_format_names, render_plan
from gitgpu.runs.baseline import Baseline, FleetSource, baseline
from gitgpu.runs.build import Build, BuildOptions, build
from gitgpu.runs.plan import PlanOptions, plan_build
from gitgpu.runs.validate import link_spec

POOL_FILES = ("nodepool-", "managedclustersagentpool-")  # beginnings of the names of files in overlays


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu plan`."""

    paths: tuple[str, ...]
    against: str | None
    out: str | None
    choice: ClusterSelection
    minutes: int | None
    fail_on: str
    protect: tuple[str, ...]
    workloads: tuple[str, ...]
    jobs: int | None
    output_format: str
    style: Style


@click.command("plan", short_help=__doc__)
@options.paths
@click.option("--against", metavar="REV|DIR", help="A Git revision or a directory.  [default: the output directory]")
@options.out
@options.clusters
@click.option(
    "--minutes-per-node",
    "minutes",
    type=options.whole_number(1, 7 * 24 * 60),
    metavar="MINUTES",
    help="How long it takes to replace one node, to estimate the total time.",
)
@click.option(
    "--fail-on",
    type=click.Choice(("change", "replace", "never")),
    default="change",
    show_default=True,
    help="When to exit 1: on any change, only when nodes are replaced or removed, or never.",
)
@click.option(
    "--protect",
    multiple=True,
    metavar="GLOB",
    help="With --fail-on replace, consider only these pools: POOL or CLUSTER/POOL; repeatable.",
)
@click.option(
    "--workloads",
    multiple=True,
    metavar="FILE|DIR|-",
    help="Manifests of workloads, to say which of them a changed quota no longer admits; repeatable.",
)
@options.jobs
@options.output(plan_format_names(), "Format of the plan on stdout.")
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Show what a change to the fleet does before you merge it.

    The fleet in PATH (default: `fleet` in .gitgpu.yaml, or fleet.yaml, or fleet/) is built in memory and compared with
    the output directory, another directory or a Git revision. Exit status: 0 no change, 1 changes, 2 could not run.

    \b
    gitgpu plan
    gitgpu plan --against origin/main -o markdown
    gitgpu plan --fail-on replace --protect 'h100-*' --minutes-per-node 12
    """
    if arguments.protect and arguments.fail_on != "replace":
        raise click.UsageError("--protect needs --fail-on replace")
    settings = with_out_directory_faults(fleet_settings(arguments.paths, out=arguments.out))
    with progress("building", "cluster") as count:
        after = _build(settings, arguments, count)
    source = FleetSource(settings.paths, settings.fleet, settings.policy)
    before = Baseline({}, "") if settings.faults else baseline(arguments.against, source)
    faults = (*settings.faults, *after.errors, *before.faults)
    inputs = after.checked.inputs
    if faults or inputs is None:
        return refuse_fleet(after.checked, faults, arguments.output_format)
    paths_of_both = {*before.files, *after.files}
    _check_protected(arguments.protect, paths_of_both)
    clusters = arguments.choice.require(_clusters(paths_of_both))
    texts, missing = read_searched(arguments.workloads)
    workloads = read_manifests(texts, by_name(texts, arguments.workloads))
    with progress("comparing", "cluster") as count:
        how = PlanOptions(arguments.minutes, arguments.jobs, workloads, count)
        plan, unread = plan_build(before, after, inputs, clusters, how)
    if unread := (*unread, *_errors((*missing, *workloads.faults))):
        return refuse_fleet(after.checked, unread, arguments.output_format)
    show(render_plan(plan, arguments.output_format, arguments.style), arguments.output_format, arguments.style)
    failures = {"change": plan.changes, "replace": plan.loses(arguments.protect), "never": False}
    return int(failures[arguments.fail_on])


def _errors(faults: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    return (fault for fault in faults if fault.severity is Severity.ERROR)


def _check_protected(globs: Sequence[str], paths: Iterable[str]) -> None:
    """Rejects a --protect glob that matches no pool: a misspelt name would protect nothing."""
    pools = []
    for file in map(PurePosixPath, paths):
        if file.name.startswith(POOL_FILES):
            _, _, pool = file.stem.partition("-")
            pools.append((file.parts[0], pool))
    for glob in globs:
        if not any(matches_pool(cluster, pool, glob) for cluster, pool in pools):
            raise click.UsageError(f"--protect: no pool matches {glob}")


def _build(settings: Settings, arguments: Arguments, count: Count) -> Build:
    spec = read_spec(settings.paths, settings.target)
    is_proven = matching_stamp(stamp_of(spec.texts, settings), settings.out) is not None
    fleet = link_spec(spec, settings.fleet)
    picked = arguments.choice.pick(fleet.cluster_names)
    return build(fleet, picked, settings.policy, BuildOptions(is_proven, arguments.jobs, on_count=count))


def _clusters(paths: Iterable[str]) -> tuple[str, ...]:
    """The clusters that have a folder, in any order."""
    names = set()
    for path in paths:
        folder, slash, _ = path.partition("/")
        if slash:
            names.add(folder)
    return tuple(names)
