"""Serve lint, validate, simulate, plan and diagnose to agents, over the Model Context Protocol."""

import gc
import os
from importlib.util import find_spec
from typing import NamedTuple

import click

from gitgpu.cli.parameters import as_value


class Arguments(NamedTuple):
    """The arguments of `gitgpu mcp`."""

    readable: tuple[str, ...]


@click.command("mcp", short_help=__doc__)
@click.argument("readable", nargs=-1, metavar="[DIR]...", type=click.Path(file_okay=False))
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Serve lint, validate, simulate, plan and diagnose to agents, over the Model Context Protocol.

    An MCP client, such as an editor, starts it and talks to it over standard input and output. The tools only read, and
    only files in DIR (default: the current directory): nothing else is opened, whatever a request, a link or a file
    names. Needs the Python SDK of the protocol: pip install 'gitgpu[mcp]'

    \b
    gitgpu mcp ~/gpu-fleet
    """
    directories = [os.path.realpath(directory) for directory in arguments.readable or (os.curdir,)]
    missing = next((directory for directory in directories if not os.path.isdir(directory)), None)
    if missing is not None:
        raise click.BadParameter(f"'{missing}' is not a directory", param_hint="DIR")
    if find_spec("mcp") is None:
        raise click.ClickException("gitgpu mcp needs the Python SDK of the protocol: pip install 'gitgpu[mcp]'")
    from gitgpu.cli.mcp.server import serve  # noqa: PLC0415  the SDK is optional, and takes long to import

    gc.enable()  # a command that ends soon does without: cli/main.py
    serve(directories)
    return 0
