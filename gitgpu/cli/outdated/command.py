"""List the charts and images of the fleet that have newer versions."""

from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.edits.change import UNKNOWN_VERSION
from gitgpu.cli.fleets.findings import refuse_fleet, validate_fleet
from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.parameters import as_value
from gitgpu.cli.settings import fleet_settings
from gitgpu.diagnostic import Diagnostic, errors
from gitgpu.model.software.installed import unknown_versions
from gitgpu.model.software.outdated import standings
from gitgpu.report.findings import Style
from gitgpu.report.outdated import as_json, as_markdown, as_text
from gitgpu.runs.installations import installations

FORMS = ("text", "json", "markdown")


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu outdated`."""

    paths: tuple[str, ...]
    choice: ClusterSelection
    output_format: str
    style: Style


@click.command("outdated", short_help=__doc__)
@options.paths
@options.clusters
@options.table_output(FORMS, "Output format.")
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """List charts and images that have a newer version in the catalog, by ring.

    PATH is a file or directory of the fleet (default: `fleet` in .gitgpu.yaml, or fleet.yaml, or the directory fleet).
    Shows, for each: the current version and whether it is pinned; the newest compatible version that `gitgpu upgrade`
    reaches in one step; the newest version, and what blocks it. -o json also lists what is up to date. Exit status: 0
    everything has its newest compatible version, 1 something is outdated, 2 could not run.

    \b
    gitgpu outdated
    gitgpu outdated --cluster 'prod-*' -o markdown
    """
    output_format, style = arguments.output_format, arguments.style
    settings = fleet_settings(arguments.paths)
    read = validate_fleet(settings)
    faults = errors((*settings.faults, *read.diagnostics))
    if faults or read.inputs is None:
        return refuse_fleet(read, faults, output_format)
    picked = arguments.choice.require([cluster.name for cluster in read.inputs.clusters])
    clusters = read.inputs.clusters_named(picked)
    if any(unknown_versions(read.inputs, cluster) for cluster in clusters):  # allowed, and still unknown
        unknown = [_explain(diagnostic) for diagnostic in read.allowed if diagnostic.code == UNKNOWN_VERSION]
        return refuse_fleet(read, unknown, output_format)
    rows = standings(read.inputs, clusters, installations(read.inputs))
    if output_format == "text":
        say(as_text(rows, style), colour=style.colour, width=style.width)
    elif output_format == "markdown":
        say(as_markdown(rows))
    else:
        send(as_json(rows))
    return int(any(row.is_outdated for row in rows))


def _explain(finding: Diagnostic) -> Diagnostic:
    """The finding of a pin whose version has no row, which the user allowed."""
    message = f"{finding.message}. The error is suppressed, but versions are compared by their rows in the catalog"
    return finding._replace(message=message)
