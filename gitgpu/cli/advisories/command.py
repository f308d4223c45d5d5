"""List known bad combinations of versions that affect the fleet."""

from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.fleets.findings import refuse_fleet, validate_fleet
from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.parameters import as_value
from gitgpu.cli.settings import FindingOptions, fleet_settings, settings_without_fleet
from gitgpu.diagnostic import errors
from gitgpu.model.catalog import catalog
from gitgpu.model.software.advisories import advisories
from gitgpu.report.advisories import AdvisoryList, as_json, as_markdown, as_text, entries, every_entry
from gitgpu.report.findings import Style
from gitgpu.rules.inputs.advised import applicable_advisories

FORMS = ("text", "json", "markdown")


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu advisories`."""

    paths: tuple[str, ...]
    choice: ClusterSelection
    every: bool
    today: str
    output_format: str
    style: Style


@click.command("advisories", short_help=__doc__)
@options.paths
@options.clusters
@click.option("--all", "every", is_flag=True, help="List every advisory of the catalog. No fleet is read.")
@options.today(options.ON_ADVISORIES)
@options.table_output(FORMS, "Output format.")
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """List known bad combinations of versions that affect the fleet.

    PATH is a file or directory of the fleet (default: `fleet` in .gitgpu.yaml, or fleet.yaml, or the directory fleet).
    What depends on facts that a fleet does not say, such as the node image, is listed apart: `lint`, `import` and
    `diagnose` read these from running clusters. Exit status: 0 nothing is affected, 1 something is, 2 could not run.

    \b
    gitgpu advisories
    gitgpu advisories --cluster 'prod-*' -o markdown
    gitgpu advisories --all
    """
    chosen = FindingOptions(today=arguments.today)
    if arguments.every:
        facts = catalog(settings_without_fleet(arguments.paths).catalogs)
        _print(every_entry(tuple(advisories(facts)), arguments.today), arguments)
        return 0
    settings = fleet_settings(arguments.paths, chosen)
    read = validate_fleet(settings)
    faults = errors((*settings.faults, *read.diagnostics))
    faults = [fault for fault in faults if not fault.code.startswith("ADV")]
    if faults or read.inputs is None:
        return refuse_fleet(read, faults, arguments.output_format)
    picked = arguments.choice.require([cluster.name for cluster in read.inputs.clusters])
    found = applicable_advisories(read.inputs, read.inputs.clusters_named(picked))
    reported = {diagnostic.code for diagnostic in read.diagnostics}
    listed = entries(found, reported, tuple(advisories(read.inputs.catalog)), arguments.today)
    _print(listed, arguments)
    return int(any(entry.counts for entry in listed.entries))


def _print(listed: AdvisoryList, arguments: Arguments) -> None:
    style = arguments.style
    if arguments.output_format == "text":
        say(as_text(listed, style), colour=style.colour, width=style.width)
    elif arguments.output_format == "markdown":
        say(as_markdown(listed))
    else:
        send(as_json(listed))
