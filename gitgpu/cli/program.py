"""The program: finds the command, runs it, and turns whatever happens into an exit code.

Only the command that is asked for is imported; `--help` shows the others by the first line of their modules.
"""

import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import click

from gitgpu import __version__
from gitgpu.cli import commands
from gitgpu.cli.global_options import with_global_options
from gitgpu.cli.out import line, say
from gitgpu.cli.overview import HELP
from gitgpu.registry import load, names, summary
from gitgpu.report.screen import printable

COULD_NOT_RUN, INTERRUPTED = 2, 130
_WITH_VALUE = ("-C", "--config")


def program(wanted: Sequence[str] | None = None) -> click.Group:
    """The command group; with `wanted`, only these commands are real and the others are names for the help text."""
    if sys.flags.optimize > 1:
        raise click.ClickException("Python's option -OO (PYTHONOPTIMIZE=2) removes the texts of --help: use -O")
    group = click.Group("gitgpu", help=HELP, context_settings={"help_option_names": ["-h", "--help"]})
    group = click.version_option(__version__, "-V", "--version", prog_name="gitgpu")(group)
    for name in names(commands):
        if wanted is None or name in wanted:
            group.add_command(load(commands, name, "COMMAND", click.Command))
        else:
            group.add_command(click.Command(name, short_help=summary(commands, name)))
    return with_global_options(group)


def execute(arguments: Sequence[str]) -> int:
    """Runs the program and gives its exit code. The only place that catches what nobody foresaw."""
    completing = "_GITGPU_COMPLETE" in os.environ
    try:
        group = program(None if completing else _command_of(arguments))
        result = group.main(list(arguments), prog_name="gitgpu", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.ClickException as error:
        _refuse(error)
        return COULD_NOT_RUN
    except (click.Abort, KeyboardInterrupt):
        line("interrupted")
        return INTERRUPTED
    except SystemExit as error:  # how click ends a completion, and a run whose reader has gone: its answer is lost
        return int(error.code or 0) if completing else COULD_NOT_RUN
    except OSError as error:
        with suppress(OSError):
            line(f"gitgpu: {error}")
        return COULD_NOT_RUN
    except Exception as error:
        if os.environ.get("GITGPU_DEBUG"):
            raise
        line(f"gitgpu: a bug of ours: {type(error).__name__}: {error}")
        line("Please report it with the output of the same command under GITGPU_DEBUG=1.")
        return COULD_NOT_RUN


def _command_of(arguments: Sequence[str]) -> list[str]:
    """The name of the command; empty where there is none. An option before it may be followed by its value."""
    left = iter(arguments)
    for word in left:
        if not word.startswith("-"):
            return [word]
        if word in _WITH_VALUE:
            next(left, None)
    return []


def _refuse(error: click.ClickException) -> None:
    """What click says of a command line that it does not take; it repeats arguments as they were given."""
    told = io.StringIO()
    error.show(told)
    say(told.getvalue().replace(error.message, printable(error.message)), err=True)
