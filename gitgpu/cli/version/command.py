"""Print the versions of gitgpu, its catalog and Python."""

import platform
import sys
from typing import NamedTuple

import click

from gitgpu import __version__
from gitgpu.cli import options
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.output.terminal import columns
from gitgpu.cli.parameters import as_value
from gitgpu.load.catalog.evidence import evidence
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
    age = evidence(CatalogFiles())
    facts = {
        "version": __version__,
        "catalog": age.checked,
        "evidence": age._asdict(),
        "python": platform.python_version(),
        "platform": sys.platform,
    }
    if arguments.output_format == "json":
        send(envelope("Version", facts))
    else:
        lines = {"gitgpu": __version__, "catalog": age, "python": facts["python"], "platform": facts["platform"]}
        say("".join(f"{name:10}{value}\n" for name, value in lines.items()), width=columns())
