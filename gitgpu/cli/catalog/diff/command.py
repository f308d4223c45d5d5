"""Show what a newer catalog changes in this fleet: facts, then objects, then nodes."""

from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.catalog.diff.comparison import Compared, compare_builds
from gitgpu.cli.catalog.diff.older_catalog import older_catalog
from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.cli.input.program_outputs import read_documents
from gitgpu.cli.output.outcome import COULD_NOT_RUN
from gitgpu.cli.output.refusal import JSON, refuse_files, say_findings
from gitgpu.cli.output.streams import line, say, show
from gitgpu.cli.output.terminal import columns
from gitgpu.cli.parameters import as_value
from gitgpu.cli.settings import FindingOptions, fleet_settings
from gitgpu.compare.newer_drivers import foreign_documents
from gitgpu.report.catalog.diff import FORMS, render_diff
from gitgpu.report.catalog.facts import fact_lines
from gitgpu.report.findings import Style


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu catalog diff`."""

    old: str | None
    choice: ClusterSelection
    nodes: tuple[str, ...]
    today: str
    output_format: str
    style: Style


@click.command("diff", short_help=__doc__)
@click.argument("old", required=False, metavar="[OLD]")
@options.clusters
@click.option("--nodes", multiple=True, type=options.FILE, metavar="FILE", help="Output of kubectl get nodes -o json.")
@options.today("Date used to judge retirements and end of support, e.g. 2027-06-30. Default: the catalog's own date.")
@options.output(FORMS, "Format of the result on stdout.")
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Show what a newer catalog changes in this fleet: facts, then objects, then nodes.

    OLD is a Git revision of your own catalog, or a directory: an older copy of your own catalog, or the catalog of
    another release of gitgpu. The default is HEAD or, before the first commit, gitgpu's catalog without yours. The
    fleet is built with both, and nothing is written. With --nodes, the command also reports nodes whose driver is newer
    than the driver in the catalog. Exit status: 0 no change, 1 changes, 2 could not run.

    \b
    gitgpu catalog diff
    gitgpu catalog diff origin/main -o markdown
    gitgpu catalog diff ../gitgpu-0.2/catalog --today 2027-06-30
    kubectl get nodes -o json | gitgpu catalog diff --nodes -
    """
    settings = fleet_settings((), FindingOptions(today=arguments.today))
    older = older_catalog(arguments.old, settings.catalogs)
    running, unread = read_documents(arguments.nodes)
    if faults := (*settings.faults, *older.faults, *unread, *foreign_documents(running)):
        refuse_files(faults, arguments.output_format)
        return COULD_NOT_RUN
    compared = compare_builds(settings, older, arguments.choice, running)
    if arguments.output_format != JSON:
        say_findings(compared.diff.notes)
    if compared.faults:
        return _unbuilt(compared, arguments.output_format)
    text = render_diff(compared.diff, arguments.output_format, arguments.style)
    show(text, arguments.output_format, arguments.style)
    return int(compared.diff.changes)


def _unbuilt(compared: Compared, output_format: str) -> int:
    """Reports the facts that differ, and why the fleet could not be built."""
    if output_format != JSON:
        say("".join(f"{text}\n" for text in fact_lines(compared.diff.rows)), width=columns())
    line(f"The fleet cannot be built with {compared.description}:")
    refuse_files(compared.faults, output_format)
    return COULD_NOT_RUN
