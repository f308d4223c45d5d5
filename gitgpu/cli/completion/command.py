"""Print a shell completion script."""

from typing import NamedTuple

import click
from click.shell_completion import get_completion_class

from gitgpu.cli.output.streams import send
from gitgpu.cli.parameters import as_value

SHELLS = ("bash", "zsh", "fish", "powershell")


class Arguments(NamedTuple):
    """The argument of `gitgpu completion`."""

    shell: str


@click.command("completion", short_help=__doc__)
@click.argument("shell", type=click.Choice(SHELLS))
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Print the completion script for a shell. The directories in the examples must exist.

    \b
    gitgpu completion bash > ~/.local/share/bash-completion/completions/gitgpu
    gitgpu completion zsh > "${fpath[1]}/_gitgpu"
    gitgpu completion fish > ~/.config/fish/completions/gitgpu.fish
    gitgpu completion powershell | Out-String | Invoke-Expression
    """
    maker = get_completion_class(arguments.shell)
    if maker is None:
        raise click.UsageError(
            f"this version of click has no completion for {arguments.shell}; install click 8.5 or newer"
        )
    root = click.get_current_context().find_root().command
    script = maker(root, {}, "gitgpu", "_GITGPU_COMPLETE").source()
    # click's script for fish ends a description at its first comma.
    send(script.replace('string split ","', 'string split --max 1 ","') + "\n")
    return 0
