"""Print the versions of gitgpu, its catalog and Python."""

import platform
import sys
from typing import NamedTuple

import click

from gitgpu import __version__
from gitgpu.cli import options
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.parameters import as_value
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.report.envelope import envelope


class Arguments(NamedTuple):
    """The option of `gitgpu version`."""

    output_format: str


@click.command("version", short_help=__doc__)
@options.answer_format
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> None:
    """Print the versions of gitgpu, its catalog and Python, for bug reports and scripts.

    \b
    gitgpu version -o json
    """
    facts = {
        "version": __version__,
        "catalog": CatalogFiles().newest_day,
        "python": platform.python_version(),
        "platform": sys.platform,
    }
    if arguments.output_format == "json":
        send(envelope("Version", facts))
    else:
        names = {"version": "gitgpu"}
        say("".join(f"{names.get(key, key):10}{value}\n" for key, value in facts.items()))
