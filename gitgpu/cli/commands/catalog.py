"""Refresh your own catalog, and show what a newer catalog changes: refresh, diff."""

from typing import Any

import click

from gitgpu.cli import options
from gitgpu.cli.comparison.catalog_diff import Compared, with_both
from gitgpu.cli.comparison.older_catalog import older_catalog
from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.cli.input.outputs import read_documents
from gitgpu.cli.input.refreshing import Named, Refreshed, read_answers, refreshed
from gitgpu.cli.output.outcome import COULD_NOT_RUN
from gitgpu.cli.output.refusal import JSON, UnreadableError, refuse_files, say_findings
from gitgpu.cli.output.streams import line, note, say, send, show
from gitgpu.cli.settings import FindingOptions, Settings, fleet_settings, settings_without_fleet
from gitgpu.compare.newer_drivers import foreign_documents
from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.load.catalog.folders import Folder, entries
from gitgpu.load.read import label
from gitgpu.model.catalog import Catalog, catalog
from gitgpu.refresh.rows import rows_of
from gitgpu.report.comparison.catalog_diff import FORMS, render_diff
from gitgpu.report.refreshed import fact_lines, refresh_json
from gitgpu.report.terminal import printable
from gitgpu.write.catalog.rows import write_rows

_FILE = click.Path()  # the type is for completion; faults of a file are findings


@click.group("catalog", short_help=__doc__)
def COMMAND() -> None:
    """Refresh your own catalog, and show what a newer catalog changes."""


@COMMAND.command("refresh")
@click.option("--skus", multiple=True, type=_FILE, metavar="FILE", help="Output of az vm list-skus; repeatable.")
@click.option(
    "--prices", multiple=True, type=_FILE, metavar="FILE", help="Pages of Azure's retail prices API; repeatable."
)
@click.option("--usage", multiple=True, metavar="[REGION=]FILE", help="Output of az vm list-usage; repeatable.")
@click.option("--versions", multiple=True, metavar="[REGION=]FILE", help="Output of az aks get-versions; repeatable.")
@click.option(
    "--charts", multiple=True, type=_FILE, metavar="FILE", help="The index.yaml of a chart repository; repeatable."
)
@click.option("--out", metavar="DIR", help="The directory to write to.  [default: `catalog` in .gitgpu.yaml]")
@options.today(
    "Date on which the files were fetched, e.g. 2027-06-30. Required, unless only chart indices with a date are passed."
)
@click.option("--dry-run", is_flag=True, help="Print what would change; write nothing.")
@options.answer_format
def refresh(output_format: str, today: str, out: str | None, dry_run: bool, **files: tuple[str, ...]) -> int:
    """Update your own catalog with current data of Azure and of chart repositories.

    The rows contain only what differs from gitgpu's catalog. FILE can be a directory. The command does not use the
    network. If any file is invalid, nothing is written. Exit status: 0 done, 2 could not run.

    \b
    gitgpu catalog refresh --skus skus.json --prices prices/ --today 2027-06-30
    gitgpu catalog refresh --usage swedencentral=usage.json --today 2027-06-30 --dry-run
    gitgpu catalog refresh --charts index.yaml -o json
    """
    named = Named(**files)
    if not any(named):
        raise click.UsageError("pass at least one of --skus, --prices, --usage, --versions, --charts")
    settings = settings_without_fleet()
    target = _target(out, settings.catalogs)
    current = _current(settings, target)
    answers, wrong = read_answers(named, current, today)
    update = rows_of(answers, current)
    if wrong or update.faults:
        refuse_files((*wrong, *update.faults), output_format)
        return COULD_NOT_RUN
    result = refreshed(update, settings.catalogs, target)
    faults = result.faults if dry_run else _write(result, target)
    if faults:
        refuse_files(faults, output_format)
        return COULD_NOT_RUN
    _write_report(result, target, output_format, dry_run=dry_run)
    return 0


def _current(settings: Settings, target: Folder) -> Catalog:
    """The catalog before the refresh. Raises UnreadableError if it has faults."""
    # Before the first refresh, the directory does not exist.
    current = catalog(tuple(folder for folder in settings.catalogs if folder != target or entries(folder)))
    if faults := (*settings.faults, *current.files.faults):
        raise UnreadableError("the catalog cannot be read", faults)
    return current


def _target(out: str | None, configured: tuple[Folder, ...]) -> Folder:
    """The directory to write to. Raises click.UsageError if the configuration has none or several."""
    if out:
        # Without its slash, nothing of `/` would be left.
        path = out.rstrip("/") or out
        return next((folder for folder in configured if folder.path == path), Folder(path, label(path)))
    if not configured:
        raise click.UsageError("pass --out DIR, and add the directory to `catalog` in .gitgpu.yaml")
    first, *others = configured
    if others:
        raise click.UsageError(f"`catalog` names several directories; choose one with --out {first.path}")
    return first


def _write(result: Refreshed, target: Folder) -> tuple[Diagnostic, ...]:
    """Writes the rows, unless one of them has a fault. Returns what prevents it."""
    if result.faults or not result.texts:
        return result.faults
    return write_rows(target.path, result.texts)


def _write_report(result: Refreshed, target: Folder, output_format: str, *, dry_run: bool) -> None:
    notes = in_order(result.notes)
    if output_format == JSON:
        files = [(f"{target.path}/{path}", text) for path, text in sorted(result.texts.items())]
        send(refresh_json(target.path, files, result.changes, notes))
        return
    say_findings(notes)
    say("".join(f"{text}\n" for text in fact_lines(result.changes)))
    written = sum(1 for text in result.texts.values() if text)
    counts = f"{written} written, {len(result.texts) - written} removed, {result.same} unchanged"
    note(f"{printable(target.path)}: {counts}{' (dry run)' if dry_run else ''}")


@COMMAND.command("diff")
@click.argument("old", required=False, metavar="[OLD]")
@options.clusters
@click.option("--nodes", multiple=True, type=_FILE, metavar="FILE", help="Output of kubectl get nodes -o json.")
@options.today("Date used to judge retirements and end of support, e.g. 2027-06-30. Default: the catalog's own date.")
@options.output(FORMS, "Format of the result on stdout.")
@options.colour
def diff(old: str | None, nodes: tuple[str, ...], output_format: str, colour: str, **rest: Any) -> int:
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
    settings = fleet_settings((), FindingOptions(today=rest["today"]))
    older = older_catalog(old, settings.catalogs)
    running, unread = read_documents(nodes)
    if faults := (*settings.faults, *older.faults, *unread, *foreign_documents(running)):
        refuse_files(faults, output_format)
        return COULD_NOT_RUN
    compared = with_both(settings, older, ClusterSelection(rest["globs"]), running)
    if output_format != JSON:
        say_findings(compared.diff.notes)
    if compared.faults:
        return _unbuilt(compared, output_format)
    style = options.style(colour)
    show(render_diff(compared.diff, output_format, style), output_format, style)
    return int(compared.diff.changes)


def _unbuilt(compared: Compared, output_format: str) -> int:
    """Reports the facts that differ, and why the fleet could not be built."""
    if output_format != JSON:
        say("".join(f"{text}\n" for text in fact_lines(compared.diff.rows)))
    line(f"The fleet cannot be built with {compared.description}:")
    refuse_files(compared.faults, output_format)
    return COULD_NOT_RUN
