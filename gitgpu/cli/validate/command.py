"""Check the fleet spec. Writes nothing."""

from functools import partial
from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.fleets.stamp import nothing_found, unchanged_stamp
from gitgpu.cli.input.texts import read_named
from gitgpu.cli.output.outcome import exit_code, write_findings
from gitgpu.cli.parameters import as_value
from gitgpu.cli.settings import FindingOptions, fleet_settings
from gitgpu.load.spec.texts import read_spec
from gitgpu.report.findings import Style


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu validate`."""

    paths: tuple[str, ...]
    fix: bool
    shown: bool
    output_format: str
    chosen: FindingOptions
    style: Style


@click.command("validate", short_help=__doc__)
@options.paths
@options.fixes
@options.findings_format
@options.chosen
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Check the fleet spec. Writes nothing except the fixes of --fix.

    PATH is a file, a directory, or - for standard input (default: `fleet` in .gitgpu.yaml, or fleet.yaml, or the
    directory fleet).

    \b
    gitgpu validate
    gitgpu validate fleet/ -o github
    gitgpu validate --fix
    gitgpu validate - < fleet.yaml
    """
    settings = fleet_settings(arguments.paths, arguments.chosen)
    write = arguments.fix and not arguments.shown
    texts, unread = read_named(settings.paths, fix=write, read=partial(read_spec, out=settings.target))
    faults = (*settings.faults, *unread)
    changes = arguments.fix or arguments.shown
    last = None if changes or faults or arguments.chosen.narrows else unchanged_stamp(texts, settings)
    if last:
        result = nothing_found(texts, last)
    else:
        from gitgpu.cli.validate.findings import Fixing, check_fleet  # noqa: PLC0415  all rules

        fixing = Fixing(arguments.output_format, write) if changes else None
        result = check_fleet(texts, settings, faults, fixing)
    write_findings(result, arguments.output_format, arguments.style, arguments.chosen.maximum)
    return exit_code(result, settings.fail_on)
