"""Output to stdout and stderr: names and quoted text in it control neither a terminal nor a pipeline."""

import click

from gitgpu.cli.global_options import is_quiet
from gitgpu.report.findings import Style
from gitgpu.report.terminal import fitted, printable, safe


def say(text: str, *, err: bool = False, colour: bool = False, width: int = 0) -> None:
    """Lines for people, on stdout, or on stderr with `err`. Lines longer than `width` break between words."""
    click.echo(safe(fitted(text, width), colour=colour), nl=False, err=err, color=colour)


def note(text: str, *, err: bool = True) -> None:
    """One line about the run, such as a summary; --quiet hides it."""
    if not is_quiet():
        line(text, err=err)


def line(text: str, *, err: bool = True) -> None:
    """A line for people, with invisible characters spelled out: a problem, or part of an answer."""
    say(f"{printable(text)}\n", err=err)


def show(text: str, form: str, style: Style) -> None:
    """An answer in a format: JSON as it is, anything else for people; only `text` is broken to the width."""
    if form == "json":
        send(text)
    else:
        say(text, colour=style.colour, width=style.width if form == "text" else 0)


def send(document: str) -> None:
    """A document for programs. Its format has its own escapes."""
    click.echo(document, nl=False)
