"""The program: finds the command, runs it, and turns the result or error into an exit code.

Only the command that runs is imported; `--help` shows the first line of the other modules.
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
from gitgpu.cli.output.refusal import JSON, UnreadableError, nameless, refuse_files, send_findings, wants_json
from gitgpu.cli.output.streams import line, say
from gitgpu.cli.overview import HELP, command_name
from gitgpu.registry import load, names, summary
from gitgpu.report.terminal import printable

COULD_NOT_RUN, INTERRUPTED = 2, 130  # as click does for wrong usage; 128 + SIGINT, as shells do
_WITH_VALUE = ("-C", "--config")


def program(arguments: Sequence[str] | None = None) -> click.Group:
    """The command group. If the arguments of a run are given, only with the command that runs."""
    if sys.flags.optimize > 1:
        raise click.ClickException("Python's option -OO (PYTHONOPTIMIZE=2) removes the help texts: use -O")
    group = click.Group("gitgpu", help=HELP, context_settings={"help_option_names": ["-h", "--help"]})
    group = click.version_option(__version__, "-V", "--version", prog_name="gitgpu")(group)
    modules = {command_name(name): name for name in names(commands)}
    first = arguments[0] if arguments else ""
    for command, name in modules.items():
        if arguments is None or command == _command_of(arguments):
            group.add_command(load(commands, name, "COMMAND", click.Command))
        elif first not in modules:  # the help of the group may be shown, which needs the names and summaries
            group.add_command(click.Command(command, short_help=summary(commands, name)))
    return with_global_options(group)


def execute(arguments: Sequence[str]) -> int:
    """Runs the program and returns its exit code. Only this function catches unexpected exceptions."""
    completing = "_GITGPU_COMPLETE" in os.environ
    try:
        group = _completing_program() if completing else program(arguments)
        result = group.main(list(arguments), prog_name="gitgpu", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except (click.ClickException, UnreadableError) as error:
        _refuse(error, arguments)
        return COULD_NOT_RUN
    except (click.Abort, KeyboardInterrupt):
        line("interrupted")
        return INTERRUPTED
    except SystemExit as error:  # raised by click after a completion, or if the reader of the output is gone
        return int(error.code or 0) if completing else COULD_NOT_RUN
    except OSError as error:
        with suppress(OSError):
            line(f"gitgpu: {error}")
            _send("OUT004", str(error), "correct this and run the command again", arguments)
        return COULD_NOT_RUN
    except Exception as error:
        if os.environ.get("GITGPU_DEBUG"):
            raise
        _report_bug(error, arguments)
        return COULD_NOT_RUN


def _completing_program() -> click.Group:
    from gitgpu.cli.shell_completion import with_completion  # noqa: PLC0415  only the shell needs it

    return with_completion(program())


def _command_of(arguments: Sequence[str]) -> str:
    """The name of the command; empty if there is none. An option before it may be followed by its value."""
    left = iter(arguments)
    for word in left:
        if not word.startswith("-"):
            return word
        if word in _WITH_VALUE:
            next(left, None)
    return ""


def _send(code: str, message: str, remedy: str, arguments: Sequence[str]) -> None:
    """Writes a fault as JSON to stdout if the command line has `-o json`."""
    if wants_json(arguments):
        send_findings([nameless(code, message, remedy)])


def _report_bug(error: Exception, arguments: Sequence[str]) -> None:
    text = f"{type(error).__name__}: {error}"
    line(f"gitgpu: internal error: {text}")
    line("This is a bug. Please report it with the output of the same command under GITGPU_DEBUG=1.")
    _send("INT002", text, "report it with the output under GITGPU_DEBUG=1", arguments)


def _refuse(error: click.ClickException | UnreadableError, arguments: Sequence[str]) -> None:
    """Reports files that cannot be read, or click's error about a command line, which repeats arguments as given."""
    if isinstance(error, UnreadableError):
        refuse_files(error.faults, JSON if wants_json(arguments) else "")
        line(f"Error: {error}")
        return
    refused = _suggesting_show(error)
    shown = io.StringIO()
    refused.show(shown)
    # The help is its own message, and contains no argument that would have to be escaped.
    is_help = isinstance(refused, click.exceptions.NoArgsIsHelpError)
    text = shown.getvalue()
    say(text if is_help else text.replace(refused.message, printable(refused.message)), err=True)
    context = getattr(refused, "ctx", None)
    command = context.command_path if context else "gitgpu"
    _send("CLI001", refused.format_message(), f"`{command} --help` shows what it accepts", arguments)


def _suggesting_show(error: click.ClickException) -> click.ClickException:
    """Suggests `show` for `gitgpu rule SKU001`. Codes and sizes contain digits, names of commands do not."""
    context = getattr(error, "ctx", None)
    name = getattr(error, "command_name", "")  # click 8.4 or later
    if context and "show" in getattr(context.command, "commands", ()) and any(map(str.isdigit, name)):
        return click.UsageError(f"{error.message} Did you mean 'show {name}'?", context)
    return error
