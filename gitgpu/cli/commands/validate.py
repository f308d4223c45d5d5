"""Check the fleet spec. Writes nothing."""

from functools import partial

import click

from gitgpu.cli import options
from gitgpu.cli.building.stamp import nothing_found, proven_here
from gitgpu.cli.input.texts import read_named
from gitgpu.cli.output.outcome import exit_code, write_findings
from gitgpu.cli.settings import FindingOptions, fleet_settings
from gitgpu.load.spec.texts import read_spec


@click.command("validate", short_help=__doc__)
@options.paths
@options.fixes
@options.findings_format
@options.chosen
@options.colour
def COMMAND(paths: tuple[str, ...], output_format: str, colour: str, chosen: FindingOptions, **repairs: bool) -> int:
    """Check the fleet spec. Writes nothing except the fixes of --fix.

    PATH is a file, a directory, or - for standard input (default: `fleet` in .gitgpu.yaml, or fleet.yaml, or the
    directory fleet).

    \b
    gitgpu validate
    gitgpu validate fleet/ -o github
    gitgpu validate --fix
    gitgpu validate - < fleet.yaml
    """
    settings = fleet_settings(paths, chosen)
    write = repairs["fix"] and not repairs["shown"]
    texts, unread = read_named(settings.paths, fix=write, read=partial(read_spec, out=settings.target))
    faults = (*settings.faults, *unread)
    changes = repairs["fix"] or repairs["shown"]
    last = None if changes or faults or chosen.narrows else proven_here(texts, settings)
    if last:
        result = nothing_found(texts, last)
    else:
        from gitgpu.cli.validating import Fixing, checked_fleet  # noqa: PLC0415  all rules

        result = checked_fleet(texts, settings, faults, Fixing(output_format, write) if changes else None)
    write_findings(result, output_format, options.style(colour), chosen.maximum)
    return exit_code(result, settings.fail_on)
