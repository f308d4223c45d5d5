"""Create a fleet from running clusters, and verify that no nodes would be replaced."""

import click

from gitgpu.cli import options
from gitgpu.cli.fleets.findings import validate_fleet
from gitgpu.cli.import_.arguments import Arguments
from gitgpu.cli.import_.create import create
from gitgpu.cli.import_.inventory import Read, read_inventory
from gitgpu.cli.import_.report import exit_code, refuse, write_report
from gitgpu.cli.output.progress import progress
from gitgpu.cli.parameters import as_value
from gitgpu.cli.settings import fleet_settings
from gitgpu.diagnostic import errors
from gitgpu.report.import_formats import import_format_names
from gitgpu.runs.import_check import check_running_clusters

# Which cluster an object is on, which of two definitions runs, or what is applied, is not known: any fleet or verdict
# would be a guess.
_UNKNOWN = ("IMP005", "IMP006", "IMP020", "IMP023")
_NO_FLEET = "INP005"  # its remedy is `gitgpu init`


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
@options.today(options.ON_ADVISORIES)
@options.output(import_format_names(), "Format of the report on stdout.")
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Create a fleet from running clusters, and verify that no nodes would be replaced.

    PATH is a file or a directory with Kubernetes objects, JSON output of az aks or terraform show, or an ARM template;
    - is standard input. Exit status: 0 everything about GPUs is in the fleet and no node is replaced, 1 if not, 2 could
    not run.

    \b
    kubectl get NodePool,AKSNodeClass -o yaml | gitgpu import - --cluster prod
    gitgpu import clusters/ --dry-run
    az aks nodepool list -g prod --cluster-name prod -o json |
      gitgpu import - --cluster prod
    gitgpu import clusters/ --check --out fleet
    """
    if not arguments.paths:
        raise click.UsageError("pass files or directories with the running objects, or - for standard input")
    with progress("reading", "file") as count:
        read = read_inventory(arguments, count)
    clear = not any(fault.code in _UNKNOWN for fault in read.faults)
    if not clear or not any(cluster.objects for cluster in read.inventory.clusters):
        return refuse(read.faults, arguments.output_format)
    return _check(read, arguments) if arguments.check else create(read, arguments)


def _check(read: Read, arguments: Arguments) -> int:
    """Compares the fleet in --out with the running clusters. Returns the exit code."""
    settings = fleet_settings((arguments.out,) if arguments.out else ())
    checked = validate_fleet(settings)
    if any(fault.code == _NO_FLEET for fault in settings.faults):
        remedy = "pass its directory with `--out`, or run `gitgpu import` without `--check` to create it"
        return refuse([fault._replace(help=remedy) for fault in settings.faults], arguments.output_format)
    wrong = errors((*settings.faults, *checked.diagnostics))
    if wrong or checked.inputs is None:
        return refuse(wrong, arguments.output_format)
    report = check_running_clusters(read.inventory, read.options, checked)._replace(findings=read.faults)
    write_report(report, arguments)
    return exit_code(report)
