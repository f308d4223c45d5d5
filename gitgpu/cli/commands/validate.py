"""Is this fleet sound? Reads and checks it, writes nothing."""

import click

from gitgpu.cli import options
from gitgpu.cli.outcome import exit_code, findings, tell
from gitgpu.cli.setting import setting
from gitgpu.front import validate


@click.command("validate", short_help=__doc__)
@options.paths
@options.findings_format
@options.fail_on
@options.colour
def COMMAND(paths: tuple[str, ...], form: str, fail_on: str, when: str) -> int:
    """Is this fleet sound? Reads and checks it, writes nothing.

    PATH is a file or a directory; without one, fleet.yaml or the directory fleet.

    \b
    gitgpu validate
    gitgpu validate fleet/ -o github
    """
    where = setting(paths)
    found = findings(validate(where.paths, where.catalogs), where.faults)
    tell(found, form, options.style(when))
    return exit_code(found, fail_on)
