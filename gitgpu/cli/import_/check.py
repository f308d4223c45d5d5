"""Compares a fleet with the running clusters."""

from gitgpu.cli.fleets.findings import validate_fleet
from gitgpu.cli.import_.arguments import Arguments
from gitgpu.cli.import_.inventory import Read
from gitgpu.cli.import_.report import exit_code, refuse, write_report
from gitgpu.cli.settings import fleet_settings
from gitgpu.diagnostic import errors
from gitgpu.runs.import_check import check_running_clusters

_NO_FLEET = "INP005"  # its remedy is `gitgpu init`


def check(read: Read, arguments: Arguments) -> int:
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
