"""Predict which node each workload gets, how many, and at what price. Works offline."""

from decimal import Decimal
from math import inf, isnan, nan
from typing import Any

import click

from gitgpu import __version__
from gitgpu.cli import options
from gitgpu.cli.input.pairs import pair
from gitgpu.cli.input.simulating import Answer, SimulateArguments, of_fleet, of_pools
from gitgpu.cli.input.texts import by_name, read_searched
from gitgpu.cli.output.outcome import exit_code, write_findings
from gitgpu.cli.output.provenance import basis
from gitgpu.cli.output.streams import note, say, send
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style, summary_line
from gitgpu.report.simulation.html import Basis, page
from gitgpu.report.simulation.json import as_json
from gitgpu.report.simulation.long_values import short_forecast
from gitgpu.report.simulation.text import all_outcomes, left_out, over, summary, text
from gitgpu.runs.simulate import Assumptions

FORMS = ("text", "json", "html")
# Resources that Kubernetes names itself. Others, such as nvidia.com/gpu, have the name of a vendor before a "/".
_OVERHEAD = ("cpu", "memory", "ephemeral-storage", "pods")
GATES = {"never": (), "unschedulable": ("unschedulable",), "uncertain": ("unschedulable", "uncertain")}


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
@options.output(FORMS, "Output format.")
@options.colour
def COMMAND(output_format: str, colour: str, budget: float | None, fail_on: str, **rest: Any) -> int:
    """Predict which node each workload gets, how many, and at what price, as Karpenter would decide. Works offline.

    PATH is a file or directory of the fleet (default: `fleet` in .gitgpu.yaml, or fleet.yaml, or the directory fleet).
    Its workloads are simulated at their minimum and maximum replicas, as are the manifests of --workloads: Pods,
    Deployments, StatefulSets, Jobs, CronJobs, JobSets, the output of Kustomize. Use --pools to simulate NodePools
    without a fleet.

    \b
    gitgpu simulate
    gitgpu simulate --workloads apps/ --fail-on unschedulable
    kustomize build apps/chat | gitgpu simulate --pools clusters/prod --region eastus --workloads -
    gitgpu simulate -o html > simulation.html
    """
    if budget is not None and isnan(budget):  # which is within all bounds, because no comparison with it is true
        raise click.BadParameter("'nan' is not a price", param_hint="--budget-per-hour")
    arguments = _arguments(rest)
    _checked(arguments)
    texts, missing = read_searched(arguments.workloads)
    manifests = read_manifests(texts, by_name(texts, arguments.workloads))
    answer = (of_pools if arguments.pools else of_fleet)(arguments, manifests, missing)
    if not answer.forecasts:
        _refuse(answer.reported, output_format, options.style(colour))
        return exit_code(answer.reported, "error")
    _write(answer, output_format, colour)
    exceeded = over(answer.forecasts, budget) if budget is not None else ""
    note(summary(answer.forecasts))
    say(f"{exceeded}\n" if exceeded else "", err=True)
    is_gated = not set(GATES[fail_on]).isdisjoint(all_outcomes(answer.forecasts))
    return int(bool(exceeded) or answer.partial or is_gated)


def _checked(arguments: SimulateArguments) -> None:
    """Raises click.UsageError for options that cannot be combined."""
    if arguments.pools and arguments.paths:
        raise click.UsageError("pass a fleet or --pools, not both")
    if arguments.crds and not arguments.pools:
        raise click.UsageError("--crds needs --pools: a fleet is checked against the CRDs that gitgpu includes")
    if arguments.assumptions.region and not arguments.pools:
        raise click.UsageError("--region needs --pools: a fleet sets the region of each cluster")


def _write(answer: Answer, output_format: str, colour: str) -> None:
    forecasts = list(map(short_forecast, answer.forecasts))
    unread, style = answer.unread.diagnostics, options.style(colour)
    if output_format == "text":
        say(text(forecasts, style), colour=style.colour, width=style.width)
    else:
        send(as_json(forecasts, unread) if output_format == "json" else page(forecasts, _basis(answer), unread))
    if unread:
        say(f"{render(answer.unread, 'text', Style())}{left_out(len(unread))}\n", err=True)


def _basis(answer: Answer) -> Basis:
    return basis(answer.fleet, answer.paths, answer.catalog) if answer.catalog else Basis()


def _refuse(reported: Findings, output_format: str, style: Style) -> None:
    """Reports why there is no result, in the format of -o."""
    if output_format == "html":
        send(page((), Basis(version=__version__), reported.diagnostics))
        note(summary_line(reported))
    else:
        write_findings(reported, output_format, style)


def _arguments(rest: dict[str, Any]) -> SimulateArguments:
    spot: dict[str, float] = {}
    for entry in rest["spot"]:
        size, price = pair(entry, "--spot-price", "SIZE=USD")
        spot[size] = _number(price)
    overhead: dict[str, Decimal] = {}
    for entry in filter(None, rest["overhead"].split(",")):
        name, amount = pair(entry, "--node-overhead", "RESOURCE=AMOUNT")
        overhead[name] = _quantity(name, amount)
    assumptions = Assumptions(spot, overhead, rest["region"], "")
    return SimulateArguments(rest["paths"], rest["workloads"], rest["pools"], rest["globs"], assumptions, rest["crds"])


def _number(text: str) -> float:
    try:
        price = float(text)
    except ValueError:
        price = nan
    if not 0 <= price < inf:
        raise click.BadParameter(f"'{text}' is not a price", param_hint="--spot-price")
    return price


def _quantity(name: str, text: str) -> Decimal:
    if name not in _OVERHEAD and "/" not in name:
        message = f"'{name}' is not a resource: use {', '.join(_OVERHEAD)}, or one with a '/'"
        raise click.BadParameter(message, param_hint="--node-overhead")
    try:
        amount = quantity(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--node-overhead") from None
    if amount < 0:
        raise click.BadParameter(f"{name} must not be negative; found {text}", param_hint="--node-overhead")
    return amount
