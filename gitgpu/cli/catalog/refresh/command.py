"""Update your catalog with current data from Azure and chart repositories."""

import click

from gitgpu.cli import options
from gitgpu.cli.catalog.refresh.answers import read_answers
from gitgpu.cli.catalog.refresh.arguments import Arguments
from gitgpu.cli.output.outcome import COULD_NOT_RUN
from gitgpu.cli.output.refusal import JSON, UnreadableError, refuse_files, say_findings
from gitgpu.cli.output.streams import note, say, send
from gitgpu.cli.output.terminal import columns
from gitgpu.cli.parameters import as_value
from gitgpu.cli.settings import Settings, settings_without_fleet
from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.load.catalog.folders import Folder, entries
from gitgpu.load.read import label
from gitgpu.model.catalog import Catalog, catalog
from gitgpu.refresh.rows import rows_of
from gitgpu.report.catalog.facts import fact_lines, refresh_json
from gitgpu.report.terminal import printable
from gitgpu.runs.refresh import Refreshed, refresh_rows
from gitgpu.write.catalog.rows import write_rows


@click.command("refresh", short_help=__doc__)
@click.option("--skus", multiple=True, type=options.FILE, metavar="FILE", help="Output of az vm list-skus; repeatable.")
@click.option(
    "--prices", multiple=True, type=options.FILE, metavar="FILE", help="Pages of Azure's retail prices API; repeatable."
)
@click.option("--usage", multiple=True, metavar="[REGION=]FILE", help="Output of az vm list-usage; repeatable.")
@click.option("--versions", multiple=True, metavar="[REGION=]FILE", help="Output of az aks get-versions; repeatable.")
@click.option(
    "--charts",
    multiple=True,
    type=options.FILE,
    metavar="FILE",
    help="The index.yaml of a chart repository; repeatable.",
)
@click.option("--out", metavar="DIR", help="The directory to write to.  [default: `catalog` in .gitgpu.yaml]")
@options.today(
    "Date on which the files were fetched, e.g. 2027-06-30. Required, unless only chart indices with a date are passed."
)
@click.option("--dry-run", is_flag=True, help="Print what would change; write nothing.")
@options.answer_format
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Update your catalog with current data from Azure and chart repositories.

    The rows contain only what differs from gitgpu's catalog. FILE can be a directory. The command does not use the
    network. If any file is invalid, nothing is written. Exit status: 0 done, 2 could not run.

    \b
    gitgpu catalog refresh --skus skus.json --prices prices/ --today 2027-06-30
    gitgpu catalog refresh --usage eastus=usage.json --today 2027-06-30 --dry-run
    gitgpu catalog refresh --charts index.yaml -o json
    """
    if not (arguments.of_azure or arguments.charts):
        raise click.UsageError("pass at least one of --skus, --prices, --usage, --versions, --charts")
    settings = settings_without_fleet()
    target = _target(arguments.out, settings.catalogs)
    current = _current(settings, target)
    answers, wrong = read_answers(arguments, current)
    update = rows_of(answers, current)
    if wrong or update.faults:
        refuse_files((*wrong, *update.faults), arguments.output_format)
        return COULD_NOT_RUN
    result = refresh_rows(update, settings.catalogs, target)
    faults = result.faults if arguments.dry_run else _write(result, target)
    if faults:
        refuse_files(faults, arguments.output_format)
        return COULD_NOT_RUN
    _show(result, target, arguments)
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


def _show(result: Refreshed, target: Folder, arguments: Arguments) -> None:
    notes = in_order(result.notes)
    if arguments.output_format == JSON:
        files = [(f"{target.path}/{path}", text) for path, text in sorted(result.texts.items())]
        send(refresh_json(target.path, files, result.changes, notes))
        return
    say_findings(notes)
    say("".join(f"{text}\n" for text in fact_lines(result.changes)), width=columns())
    written = sum(1 for text in result.texts.values() if text)
    counts = f"{written} written, {len(result.texts) - written} removed, {result.same} unchanged"
    note(f"{printable(target.path)}: {counts}{' (dry run)' if arguments.dry_run else ''}")
