"""Options that several commands share."""

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from gitgpu.report import format_names
from gitgpu.report.findings import Style

Function = TypeVar("Function", bound=Callable[..., Any])
COLOURS = ("auto", "always", "never")


def paths(function: Function) -> Function:
    """PATH...: files and directories of the fleet."""
    return click.argument("paths", nargs=-1, metavar="[PATH]...")(function)


def findings_format(function: Function) -> Function:
    """-o for commands that tell of findings."""
    choice = click.Choice(format_names())
    return click.option(
        "-o",
        "--output",
        "form",
        type=choice,
        default="text",
        show_default=True,
        help="How findings are written to stdout.",
    )(function)


def answer_format(function: Function) -> Function:
    """-o for commands that answer a question."""
    return click.option(
        "-o",
        "--output",
        "form",
        type=click.Choice(("text", "json")),
        default="text",
        show_default=True,
        help="How the answer is written.",
    )(function)


def fail_on(function: Function) -> Function:
    """--fail-on: the least severe finding that makes the exit status 1."""
    choice = click.Choice(("error", "warning", "info", "never"))
    return click.option(
        "--fail-on",
        type=choice,
        default="error",
        show_default=True,
        help="The least severe finding for which the exit status is 1.",
    )(function)


def colour(function: Function) -> Function:
    """--color: as ls, git and ruff have it; NO_COLOR is obeyed."""
    return click.option(
        "--color",
        "when",
        type=click.Choice(COLOURS),
        default="auto",
        show_default=True,
        help="Colour in text output; auto is a terminal without NO_COLOR.",
    )(function)


def style(when: str) -> Style:
    """How stdout is to look."""
    terminal = sys.stdout.isatty()
    wanted = when == "always" or (when == "auto" and terminal and not os.environ.get("NO_COLOR"))
    width = os.get_terminal_size().columns if terminal else 0
    return Style(colour=wanted, width=width)
