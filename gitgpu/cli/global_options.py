"""The options that every command accepts, before or after its name: -C, --config, --quiet."""

import os
from copy import copy
from typing import TypeVar

import click

from gitgpu.cli.help_page import with_grouped_help

Command = TypeVar("Command", bound=click.Command)
_CONFIG, _QUIET, _START, _ENTERED = "gitgpu.config", "gitgpu.quiet", "gitgpu.start", "gitgpu.entered"


def with_global_options(command: Command) -> Command:
    """Adds these options to the command and to each of its subcommands."""
    extended = copy(command)
    extended.params = [*command.params, *_options()]
    # click cuts the text that it takes from the docstring at 45 characters.
    extended.short_help = command.short_help or " ".join((command.help or "").partition("\n\n")[0].split())
    if isinstance(extended, click.Group):
        below = {name: with_global_options(command) for name, command in extended.commands.items()}
        extended.commands = {name: with_grouped_help(command) for name, command in below.items()}
    return extended


def named_config() -> str | None:
    """The configuration file that the command line names."""
    name: str | None = _meta(_CONFIG)
    return name


def is_quiet() -> bool:
    """Whether to write only findings and answers."""
    return bool(_meta(_QUIET))


def start_directory() -> str | None:
    """The absolute path of the directory in which the program was started, if -C has changed it."""
    return _meta(_START)


def directory_of(context: click.Context) -> str:
    """The directory that -C names in the command line that is being completed."""
    name: str = context.meta.get(_ENTERED, os.curdir)
    return name


def _meta(key: str) -> str | None:
    context = click.get_current_context(silent=True)
    return context.meta.get(key) if context else None


def _options() -> list[click.Parameter]:
    """New parameters for each command: click stores values of the command line in them, so none can be shared."""
    return [
        click.Option(
            ["-C", "directories"],
            multiple=True,
            metavar="DIR",
            expose_value=False,
            is_eager=True,
            callback=_enter,
            help="Run as if started in DIR; findings still show paths from the current directory.",
        ),
        click.Option(
            ["--config"],
            metavar="FILE",
            expose_value=False,
            callback=_keep_config,
            help="The configuration file. Default: the nearest .gitgpu.yaml, from the fleet upwards.",
        ),
        click.Option(
            ["-q", "--quiet"],
            is_flag=True,
            expose_value=False,
            callback=_keep_quiet,
            help="Print only findings and results: no summary, no progress.",
        ),
    ]


def _enter(context: click.Context, _: click.Parameter, directories: tuple[str, ...]) -> None:
    """Changes the directory until the run ends. Each of several directories is relative to the previous one."""
    if not directories:
        return
    if context.resilient_parsing:  # the shell completes a word; the context ends before that is done
        context.meta[_ENTERED] = os.path.join(directory_of(context), *directories)
        return
    start = os.getcwd()
    for directory in directories:
        try:
            os.chdir(directory)
        except OSError as error:
            os.chdir(start)
            message = f"cannot enter '{directory}': {error.strerror}"
            raise click.BadParameter(message, context, param_hint="-C") from None
    context.meta.setdefault(_START, start)
    context.find_root().call_on_close(lambda: os.chdir(start))


def _keep_config(context: click.Context, _: click.Parameter, name: str | None) -> None:
    if name:
        context.meta[_CONFIG] = name


def _keep_quiet(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        context.meta[_QUIET] = True
