"""Output to stdout and stderr. Names and quoted text in it cannot control a terminal or a pipeline."""

import sys

import click

from gitgpu.cli.global_options import is_quiet
from gitgpu.cli.output.progress import make_room
from gitgpu.cli.output.terminal import columns
from gitgpu.report.findings import Style
from gitgpu.report.terminal import fit_lines, printable, safe

_COMMAND = "Next: "


def say(text: str, *, err: bool = False, colour: bool = False, width: int = 0) -> None:
    """Writes lines of text to stdout, or to stderr with `err`. Lines longer than `width` break between words."""
    make_room()
    click.echo(safe(fit_lines(text, width), colour=colour), nl=False, err=err, color=colour)


def note(text: str, *, err: bool = True) -> None:
    """Writes a line about the run, such as a summary, broken to the width of a terminal; --quiet hides it.

    A command in it, after `Next: `, stays on one line, so that it can be copied.
    """
    if not is_quiet():
        room = 0 if _COMMAND in text else columns(sys.stderr if err else sys.stdout)
        say(f"{printable(text)}\n", err=err, width=room)


def line(text: str, *, err: bool = True) -> None:
    """Writes a line of text, with invisible characters escaped: a problem, or part of an answer."""
    say(f"{printable(text)}\n", err=err)


def show(text: str, output_format: str, style: Style) -> None:
    """Writes an answer: JSON unchanged, any other format as text. Only `text` is wrapped to the width."""
    if output_format == "json":
        send(text)
    else:
        say(text, colour=style.colour, width=style.width if output_format == "text" else 0)


def send(document: str) -> None:
    """Writes a document for programs. Its format has its own escapes."""
    make_room()
    click.echo(document, nl=False)
