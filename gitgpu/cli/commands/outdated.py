"""List the charts and images of the fleet that have newer versions."""

from typing import Any

import click

from gitgpu.cli import options
from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.settings import Chosen, settings
from gitgpu.cli.spec_changes.answer import COULD_NOT_RUN, refuse
from gitgpu.cli.spec_changes.change import read_fleet
from gitgpu.diagnostic import Severity
from gitgpu.model.software.outdated import standings
from gitgpu.report.outdated import as_json, as_markdown, as_text

_FORMS = {"text": as_text, "json": as_json, "markdown": as_markdown}


@click.command("outdated", short_help=__doc__)
@options.paths
@options.clusters
@options.output(tuple(_FORMS), "Output format.")
def COMMAND(paths: tuple[str, ...], globs: tuple[str, ...], form: str, **_: Any) -> int:
    """List charts and images that have a newer version in the catalog, by ring.

    For each: the version now, whether the spec pins it, the newest version that no source excludes beside the rest of
    the cluster, the newest version, and why that one does not fit. -o json lists all others too. Exit status: 0
    everything has its newest compatible version, 1 something is outdated, 2 could not run.

    \b
    gitgpu outdated
    gitgpu outdated --cluster 'prod-*' -o markdown
    """
    where = settings(paths, Chosen())
    read = read_fleet(where)
    errors = [each for each in (*where.faults, *read.diagnostics) if each.severity is Severity.ERROR]
    if errors or read.inputs is None:
        return refuse(read, errors, form, COULD_NOT_RUN)
    picked = ClusterSelection(globs).pick([cluster.name for cluster in read.inputs.clusters])
    if not picked and globs:
        raise click.UsageError(f"no cluster matches {' '.join(globs)}")
    rows = standings(read.inputs, read.inputs.clusters_named(picked))
    send(as_json(rows)) if form == "json" else say(_FORMS[form](rows))
    return int(any(row.is_outdated for row in rows))
