"""Create a fleet from running clusters, and verify that their nodes stay."""

from collections.abc import Iterator, Sequence
from typing import Any

import click

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.adopt.overwritten import overwritten
from gitgpu.cli import options
from gitgpu.cli.checking import validated
from gitgpu.cli.input.existing_fleet import existing_fleet
from gitgpu.cli.input.importing import Read, kubernetes_minor, read_inventory, repository_url
from gitgpu.cli.input.regions import known_region
from gitgpu.cli.output.outcome import COULD_NOT_RUN
from gitgpu.cli.output.refusal import JSON, UnreadableError, refuse_files
from gitgpu.cli.output.streams import note, say, show
from gitgpu.cli.settings import fleet_settings, settings_without_fleet
from gitgpu.diagnostic import Diagnostic, errors
from gitgpu.load.read import exists, read_text
from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.model.catalog import catalog
from gitgpu.report.findings import Style, place
from gitgpu.report.imported import ImportReport, contents, import_format_names, render_import
from gitgpu.report.terminal import encodable, printable
from gitgpu.runs.import_ import Imported, check_fleet, import_fleet
from gitgpu.spelling import counted
from gitgpu.write.spec.apply import write_spec

DEFAULT_OUT = "fleet"  # the default of --out
# Which cluster an object is on, or which of two definitions runs, is not known: any fleet or verdict would be a guess.
_AMBIGUOUS = ("IMP005", "IMP006")


@click.command("import", short_help=__doc__)
@click.argument("paths", nargs=-1, metavar="[PATH|-]...")
@click.option("--cluster", default="", metavar="NAME", help="The name of the cluster, if no document contains it.")
@click.option("--region", default="", metavar="REGION", help="The region of the cluster, if no document contains it.")
@click.option("--kubernetes", default="", metavar="VERSION", help="Its Kubernetes version, if no document contains it.")
@click.option("--repository", default="", metavar="URL", help="The Git URL of the fleet.")
@click.option("--out", metavar="DIR", help="The fleet directory; --check also uses it.  [default: fleet]")
@click.option("--values", multiple=True, metavar="CHART=FILE", help="Helm values of an installed chart; repeatable.")
@click.option("--dry-run", is_flag=True, help="Print the files instead of writing them.")
@click.option("--check", is_flag=True, help="Compare an existing fleet with the running clusters; write nothing.")
@click.option("--force", is_flag=True, help="Replace existing files.")
@options.output(import_format_names(), "Format of the report on stdout.")
@options.colour
def COMMAND(paths: tuple[str, ...], output_format: str, colour: str, **rest: Any) -> int:
    """Create a fleet from running clusters, and verify that their nodes stay.

    PATH is a file or a directory with Kubernetes objects, JSON output of az aks or terraform show, or an ARM template;
    - is standard input. Exit status: 0 everything about GPUs is in the fleet and all nodes stay, 1 if not, 2 could
    not run.

    \b
    kubectl get NodePool,AKSNodeClass -o yaml | gitgpu import - --cluster prod
    gitgpu import clusters/ --dry-run
    az aks nodepool list -g prod --cluster-name prod -o json | gitgpu import - --cluster prod
    gitgpu import clusters/ --check --out fleet
    """
    if not paths:
        raise click.UsageError("pass files or directories with the running objects, or - for standard input")
    facts = catalog(settings_without_fleet().catalogs)
    region = known_region(rest["region"], facts)
    repository = repository_url(rest["repository"])
    chosen = ClusterOptions(rest["cluster"], region, kubernetes_minor(rest["kubernetes"]), repository)
    read = read_inventory(paths, chosen, rest["values"], facts)
    clear = not any(fault.code in _AMBIGUOUS for fault in read.faults)
    if not clear or not any(cluster.objects for cluster in read.inventory.clusters):
        return _refused(read.faults, output_format)
    run = _check if rest["check"] else _import
    return run(read, rest, output_format, options.style(colour))


def _import(read: Read, rest: dict[str, Any], output_format: str, style: Style) -> int:
    folder = rest["out"] or DEFAULT_OUT
    there = existing_fleet(folder)
    imported = import_fleet(read.inventory, read.options, settings_without_fleet().catalogs, folder, there)
    if imported.refusals:
        return _refused((*read.faults, *imported.refusals), output_format)
    replaced = _replaced(imported, folder) if rest["force"] else ()
    report = imported.report((*read.faults, *replaced))
    if rest["dry_run"]:
        texts = tuple((f"{folder}/{path}", text) for path, text in imported.files.items())
        _write_report(report._replace(texts=texts), output_format, style)
        return _status(report)
    faults = write_spec(folder, imported.files, force=rest["force"])
    if faults:
        refuse_files(faults, output_format)
        return COULD_NOT_RUN
    _write_report(report, output_format, style)
    argument = "" if folder == DEFAULT_OUT else f" {folder}"
    note(f"Wrote {counted(len(imported.files), 'file')} in {printable(folder)}. Next: gitgpu build{argument}")
    return _status(report)


def _status(report: ImportReport) -> int:
    return int(report.incomplete or bool(errors(report.findings)))


def _replaced(imported: Imported, folder: str) -> Iterator[Diagnostic]:
    """The values of existing files that the new files do not have."""
    paths = [f"{folder}/{name}" for name in imported.files]
    texts = [read_text(path) for path in paths if exists(path)]
    before, _ = shape(text for text in texts if isinstance(text, Text))
    return overwritten(before, imported.documents)


def _check(read: Read, rest: dict[str, Any], output_format: str, style: Style) -> int:
    settings = fleet_settings((rest["out"],) if rest["out"] else ())
    checked = validated(settings)
    if any(
        fault.code == "INP005" for fault in settings.faults
    ):  # no fleet found, for which `gitgpu init` is the remedy
        remedy = "pass its directory with `--out`, or run `gitgpu import` without `--check` to create it"
        return _refused([fault._replace(help=remedy) for fault in settings.faults], output_format)
    wrong = errors((*settings.faults, *checked.diagnostics))
    if wrong or checked.inputs is None:
        return _refused(wrong, output_format)
    report = check_fleet(read.inventory, read.options, checked)._replace(findings=read.faults)
    _write_report(report, output_format, style)
    return _status(report)


def _write_report(report: ImportReport, output_format: str, style: Style) -> None:
    for fault in report.findings if output_format != JSON else ():
        say(f"{place(fault.span)}: {fault.code}: {printable(fault.message)}; {printable(fault.help)}\n", err=True)
    if output_format == "text":
        say(encodable(contents(report, style)), colour=style.colour)  # with `show`, lines would be broken
    show(render_import(report, output_format, style), output_format, style)


def _refused(faults: Sequence[Diagnostic], output_format: str) -> int:
    if not faults:
        raise UnreadableError("nothing to import: the input contains no object of a cluster", ())
    refuse_files(faults, output_format)
    return COULD_NOT_RUN
