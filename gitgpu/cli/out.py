"""The ways out of the program: what it says leaves here, and acts neither on a terminal nor on a pipeline."""

import click

from gitgpu.report.screen import printable, safe


def say(text: str, *, err: bool = False, colour: bool = False) -> None:
    """Lines for people, with their line breaks; on stdout, or beside the answer on stderr."""
    click.echo(safe(text, colour=colour), nl=False, err=err, color=colour)


def note(text: str, *, err: bool = True) -> None:
    """One line for people, whatever the names in it hold."""
    say(f"{printable(text)}\n", err=err)


def send(document: str) -> None:
    """A document for programs, in which the writer of its medium has escaped what must be."""
    click.echo(document, nl=False)
