"""Run the language server for editors, over stdio. Works offline."""

import gc
from importlib.util import find_spec
from typing import NamedTuple

import click

from gitgpu.cli.parameters import as_value


class Arguments(NamedTuple):
    """The option of `gitgpu lsp`."""

    stdio: bool


@click.command("lsp", short_help=__doc__)
@click.option(
    "--stdio", is_flag=True, help="Has no effect: standard input and output are always used. Some editors pass it."
)
@as_value(Arguments)
def COMMAND(_: Arguments) -> int:
    """Run the language server for editors, over stdio. Works offline.

    Your editor starts it. It needs pygls: pip install 'gitgpu[lsp]'.

    \b
    gitgpu lsp
    """
    if find_spec("pygls") is None:
        raise click.ClickException("gitgpu lsp needs pygls: pip install 'gitgpu[lsp]'")
    from gitgpu.cli.lsp.server import serve  # noqa: PLC0415  the extra

    gc.enable()  # a command that ends soon does without: cli/main.py
    serve()
    return 0
