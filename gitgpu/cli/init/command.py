"""Write a starter fleet that builds."""

import os
from shlex import quote
from typing import NamedTuple

import click

from gitgpu.cli.global_options import start_directory
from gitgpu.cli.init.agents import write_agents
from gitgpu.cli.init.starter import CONFIG_SCHEMA, FLEET_SCHEMA, SETTINGS, YAML_SCHEMAS, starter_files
from gitgpu.cli.output.outcome import COULD_NOT_RUN
from gitgpu.cli.output.streams import line, note, say
from gitgpu.cli.parameters import as_value
from gitgpu.load.read import read_bytes, read_text
from gitgpu.load.text import Text
from gitgpu.report.terminal import printable
from gitgpu.write.apply import conflicts, create
from gitgpu.write.git_attributes import NAME as GIT_ATTRIBUTES
from gitgpu.write.git_attributes import attributes, extend

_FLEET = (".gitgpu.yaml", "fleet.yaml", "fleet")  # a directory with one of these has a fleet


class Arguments(NamedTuple):
    """The arguments of `gitgpu init`."""

    directory: str
    automatic: bool
    agents: bool


@click.command("init", short_help=__doc__)
@click.argument("directory", default=".", metavar="[DIR]", type=click.Path(file_okay=False))
@click.option("--automatic", is_flag=True, help="The cluster is an AKS Automatic cluster.")
@click.option(
    "--agents",
    is_flag=True,
    help="Also tell coding agents how to use gitgpu: a section of AGENTS.md, and a skill. If DIR has a fleet already, "
    "write only these.",
)
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Write a starter fleet into DIR (default: the current directory). Never replaces a file.

    \b
    gitgpu init gpu-fleet && cd gpu-fleet && gitgpu build
    gitgpu init --agents
    """
    directory = arguments.directory
    if arguments.agents and any(os.path.lexists(os.path.join(directory, name)) for name in _FLEET):
        return _tell_agents(directory)
    code = _start(directory, automatic=arguments.automatic)
    return code or (_tell_agents(directory) if arguments.agents else 0)


def _tell_agents(directory: str) -> int:
    """Writes what agents read. Returns the exit status."""
    try:
        written = write_agents(directory)
    except OSError as error:
        place = str(error.filename or directory)
        if not os.path.lexists(place):  # such as a temporary file: nothing can be created in its folder
            place = os.path.dirname(place) or "."
        line(f"gitgpu: {printable(place)}: {error.strerror}; nothing in it was changed")
        return COULD_NOT_RUN
    for path in written:
        note(path, err=False)
    return 0


def _start(directory: str, *, automatic: bool) -> int:
    """Writes the starter fleet. Returns the exit status."""
    advice = _advice(os.path.join(directory, SETTINGS))
    attributed = os.path.lexists(os.path.join(directory, GIT_ATTRIBUTES))
    files = starter_files(automatic=automatic, has_settings=advice is not None, has_attributes=attributed)
    # Before the files: if the program is killed, the next run must not take the directory for a finished one.
    if attributed and not conflicts(directory, files):
        _extend(os.path.join(directory, GIT_ATTRIBUTES))
    faults = create(directory, files)
    for fault in faults:
        line(f"gitgpu: {fault.span.file}: {fault.message}; {fault.help}")
    if faults:
        return COULD_NOT_RUN
    for name in files:
        note(os.path.join(directory, name), err=False)
    say(advice or "", err=True)
    note(_next(directory))
    return 0


def _next(directory: str) -> str:
    """The next command, in the directory in which the program was started."""
    start = start_directory()
    if os.path.realpath(directory) == os.path.realpath(start or "."):
        return "Next: gitgpu build"
    folder = os.path.relpath(directory, start) if start else directory
    return f"Next: cd {quote(folder)} && gitgpu build"


def _extend(path: str) -> None:
    """Adds to an existing .gitattributes, or prints what to add."""
    try:
        added = extend(path, read_bytes(path))
        if added:
            note(f"{printable(path)}: added {added.count(chr(10)) - 1} lines; nothing else was changed")
    except OSError as error:
        head = f"{printable(path)} was not changed ({error.strerror}). For reviews and merges, add to it:\n"
        say(head + attributes(), err=True)


def _advice(path: str) -> str | None:
    """What to add to existing editor settings; "" if they are complete, None if there are none.

    Existing settings are never changed, to keep their comments and order.
    """
    if not os.path.lexists(path):
        return None
    text = read_text(path)
    if isinstance(text, Text) and FLEET_SCHEMA in text.content and CONFIG_SCHEMA in text.content:
        return ""
    head = f"{printable(path)} exists and was not changed. To complete and check every document, add to it:\n"
    return head + YAML_SCHEMAS
