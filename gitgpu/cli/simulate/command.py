"""Predict which node each workload gets, how many, and at what price. Works offline."""

from math import isnan

import click

from gitgpu.cli import options
from gitgpu.cli.input.texts import by_name, read_searched
from gitgpu.cli.input.versions import read_versions
from gitgpu.cli.output.outcome import exit_code
from gitgpu.cli.output.progress import progress
from gitgpu.cli.output.streams import note, say
from gitgpu.cli.parameters import as_value
from gitgpu.cli.simulate.arguments import Arguments
from gitgpu.cli.simulate.assumptions import assumptions_of
from gitgpu.cli.simulate.forecasts import Workloads, of_fleet, of_pools
from gitgpu.cli.simulate.report import FORMS, refuse, write_forecasts
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.report.simulation.grouping import OF_NODES, OF_WORKLOADS, is_grouping
from gitgpu.report.simulation.text import all_outcomes, summary
from gitgpu.report.simulation.totals import over

GATES = {"never": (), "unschedulable": ("unschedulable",), "uncertain": ("unschedulable", "uncertain")}


def _grouping(_: click.Context, __: click.Parameter, key: str) -> str:
    if key and not is_grouping(key):
        raise click.BadParameter(f"'{key}' is not one of {', '.join((*OF_WORKLOADS, *OF_NODES))} or label:NAME")
    return key


@click.command("simulate", short_help=__doc__)
@options.paths
@click.option("--workloads", multiple=True, metavar="FILE|DIR|-", help="Manifests of workloads; repeatable.")
@click.option("--pools", multiple=True, metavar="FILE|DIR", help="NodePools and AKSNodeClasses instead of a fleet.")
@options.clusters
@click.option("--crds", multiple=True, metavar="DIR", help="With --pools: the CRDs of the cluster; repeatable.")
@click.option(
    "--region",
    default="",
    metavar="REGION",
    help="With --pools: the region of the cluster, e.g. eastus.",
)
@click.option(
    "--versions",
    metavar="PROJECT=VERSION",
    default="",
    callback=read_versions,
    help="With --pools: releases that the cluster runs: karpenter=1.15.  "
    "[default: lint.versions, those in the manifests, or what AKS runs]",
)
@click.option(
    "--spot-price",
    "spot",
    multiple=True,
    metavar="SIZE=USD",
    help="Hourly price of a spot node; repeatable.  [default: the catalog's, or the on-demand price]",
)
@click.option(
    "--node-overhead",
    "overhead",
    default="",
    metavar="AMOUNTS",
    help="Per-node requests of DaemonSets that you did not pass in: cpu=500m,memory=1Gi.",
)
@click.option(
    "--budget-per-hour",
    "budget",
    type=options.number(0),
    metavar="USD",
    help="Exit 1 if the nodes cost more than this.",
)
@click.option(
    "--fail-on",
    type=click.Choice(tuple(GATES)),
    default="never",
    show_default=True,
    help="Exit 1 on this verdict or a worse one.",
)
@click.option(
    "--group-by",
    default="",
    metavar="KEY",
    callback=_grouping,
    help="Costs by team, namespace, workload, pool, size, cluster, region or label:NAME.",
)
@options.today("Date used to judge the age of prices, e.g. 2027-06-30. Default: the catalog's own date.")
@options.table_output(FORMS, "Output format. csv has a row for each workload, or for each group.")
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Predict which node each workload gets, how many, and at what price, as Karpenter would decide. Works offline.

    PATH is a file or directory of the fleet (default: `fleet` in .gitgpu.yaml, or fleet.yaml, or the directory fleet).
    Its workloads are simulated at their minimum and maximum replicas, as are the manifests of --workloads: Pods,
    Deployments, Jobs, RayClusters and other workloads, also the output of Kustomize. Use --pools to simulate
    NodePools without a fleet.

    \b
    gitgpu simulate
    gitgpu simulate --workloads apps/ --fail-on unschedulable
    kustomize build apps/chat |
      gitgpu simulate --pools clusters/prod --region eastus --workloads -
    gitgpu simulate -o html > simulation.html
    gitgpu simulate --group-by label:team -o csv > costs.csv
    """
    budget = arguments.budget
    if budget is not None and isnan(budget):  # which is within all bounds, because no comparison with it is true
        raise click.BadParameter("'nan' is not a price", param_hint="--budget-per-hour")
    assumptions = assumptions_of(arguments)
    _check(arguments)
    texts, missing = read_searched(arguments.workloads)
    manifests = read_manifests(texts, by_name(texts, arguments.workloads))
    with progress("simulating", "cluster") as count:
        read = Workloads(manifests, missing)
        answer = (of_pools if arguments.pools else of_fleet)(arguments, assumptions, read, count)
    if not answer.forecasts:
        refuse(answer.reported, arguments)
        return exit_code(answer.reported, "error")
    exceeded = over(answer.forecasts, budget) if budget is not None else ""
    write_forecasts(answer, arguments, exceeded)
    note(summary(answer.forecasts))
    say(f"{exceeded}\n" if exceeded else "", err=True)
    is_gated = not set(GATES[arguments.fail_on]).isdisjoint(all_outcomes(answer.forecasts))
    return int(bool(exceeded) or answer.partial or is_gated)


def _check(arguments: Arguments) -> None:
    """Raises click.UsageError for options that cannot be combined."""
    if arguments.pools and arguments.paths:
        raise click.UsageError("pass a fleet or --pools, not both")
    if arguments.crds and not arguments.pools:
        raise click.UsageError("--crds needs --pools: a fleet is checked against the CRDs that gitgpu includes")
    if arguments.versions and not arguments.pools:
        raise click.UsageError("--versions needs --pools: a fleet sets the releases that each cluster runs")
    if arguments.region and not arguments.pools:
        raise click.UsageError("--region needs --pools: a fleet sets the region of each cluster")
