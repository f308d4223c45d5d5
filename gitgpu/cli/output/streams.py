"""The ways out of the program: what it says leaves here, and acts neither on a terminal nor on a pipeline."""

import click

from gitgpu.cli.global_options import is_quiet
from gitgpu.report.screen import fitted, printable, safe


def say(text: str, *, err: bool = False, colour: bool = False, width: int = 0) -> None:
    """Lines for people, on stdout, or on stderr with `err`. Lines longer than `width` break between words."""
    click.echo(safe(fitted(text, width), colour=colour), nl=False, err=err, color=colour)


def note(text: str, *, err: bool = True) -> None:
    """One line about the run, such as a summary; --quiet hides it."""
    if not is_quiet():
        line(text, err=err)


def line(text: str, *, err: bool = True) -> None:
    """One line for people, whatever the names in it hold: a problem, or part of an answer."""
    say(f"{printable(text)}\n", err=err)


def send(document: str) -> None:
    """A document for programs, in which the writer of its medium has escaped what must be."""
    click.echo(document, nl=False)
