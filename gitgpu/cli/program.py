"""The program: finds the command, runs it, and turns the result or error into an exit code.

Only the command that runs is imported; `--help` shows the first line of the other ones.
"""

import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from importlib import import_module
from types import ModuleType

import click

from gitgpu import __version__, cli
from gitgpu.cli.commands import MODULE, command_folders, summary
from gitgpu.cli.global_options import with_global_options
from gitgpu.cli.output.refusal import JSON, UnreadableError, nameless, refuse_files, send_findings, wants_json
from gitgpu.cli.output.streams import line, say
from gitgpu.cli.overview import HELP
from gitgpu.registry import load
from gitgpu.report.terminal import printable

COULD_NOT_RUN, INTERRUPTED = 2, 130  # as click does for wrong usage; 128 + SIGINT, as shells do
_WITH_VALUE = ("-C", "--config")


def program(arguments: Sequence[str] | None = None) -> click.Group:
    """The command group. If the arguments of a run are given, only with the command that runs."""
    if sys.flags.optimize > 1:
        raise click.ClickException("Python's option -OO (PYTHONOPTIMIZE=2) removes the help texts: use -O")
    group = click.Group("gitgpu", help=HELP, context_settings={"help_option_names": ["-h", "--help"]})
    group = click.version_option(__version__, "-V", "--version", prog_name="gitgpu")(group)
    group.commands = _commands(cli, arguments)
    return with_global_options(group)


def _commands(package: ModuleType, arguments: Sequence[str] | None) -> dict[str, click.Command]:
    """The commands of a package by name. Those that do not run only have a summary, for the help of the group."""
    folders = command_folders(package)
    running, following = _command_of(arguments)
    is_help_possible = not arguments or arguments[0] not in folders
    commands: dict[str, click.Command] = {}
    for name, folder in folders.items():
        if arguments is None or name == running:
            commands[name] = _load_command(package, folder, following)
        elif is_help_possible:
            commands[name] = click.Command(name, short_help=summary(package, folder))
    return commands


def _load_command(package: ModuleType, folder: str, arguments: Sequence[str] | None) -> click.Command:
    """The command in a folder, with its subcommands."""
    command = load(package, f"{folder}.{MODULE}", "COMMAND", click.Command)
    if not isinstance(command, click.Group):
        return command
    group = copy(command)
    group.commands = _commands(import_module(f"{package.__name__}.{folder}"), arguments)
    return group


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
            text = _reason(error)
            line(f"gitgpu: {text}")
            _send("OUT004", text, "correct this and run the command again", arguments)
        return COULD_NOT_RUN
    except Exception as error:
        if os.environ.get("GITGPU_DEBUG"):
            raise
        _report_bug(error, arguments)
        return COULD_NOT_RUN


def _completing_program() -> click.Group:
    from gitgpu.cli.completion.names import with_completion  # noqa: PLC0415  only the shell needs it

    return with_completion(program())


def _command_of(arguments: Sequence[str] | None) -> tuple[str, Sequence[str] | None]:
    """The name of the command, and the words after it; "" if there is none. An option before it may have a value."""
    if arguments is None:
        return "", None
    index = 0
    while index < len(arguments):
        word = arguments[index]
        if not word.startswith("-"):
            return word, arguments[index + 1 :]
        index += 2 if word in _WITH_VALUE else 1
    return "", ()


def _send(code: str, message: str, remedy: str, arguments: Sequence[str]) -> None:
    """Writes a fault as JSON to stdout if the command line has `-o json`."""
    if wants_json(arguments):
        send_findings([nameless(code, message, remedy)])


def _reason(error: OSError) -> str:
    """What the operating system says, and where if that is known: without a path, only a directory can be missing."""
    place = error.filename or ("the current directory" if isinstance(error, FileNotFoundError) else "")
    return ": ".join(filter(None, (str(place), error.strerror or str(error))))


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
