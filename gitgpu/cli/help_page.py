"""The help of a command: its examples below a heading, and the options that commands share in groups of their own."""

from collections.abc import Iterator
from functools import partial
from inspect import cleandoc

import click

EXAMPLES = "\b\n"  # what starts the examples at the end of a docstring; click would not wrap them
_FINDINGS = "Findings"
_GROUPS = {
    _FINDINGS: ("select", "ignore", "fail_on", "today", "maximum"),
    "Output": ("output_format", "style"),
    "Global options": ("directories", "config", "quiet", "help"),
}


def with_grouped_help(command: click.Command) -> click.Command:
    """Replaces how click writes the help of this one command."""
    command.format_help_text = partial(_write_text, command)  # type: ignore[method-assign]
    command.format_options = partial(_write_options, command)  # type: ignore[method-assign]
    return command


def _write_text(command: click.Command, _context: click.Context, formatter: click.HelpFormatter) -> None:
    prose, _, examples = cleandoc(command.help or "").partition(EXAMPLES)
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(prose.rstrip())
    if examples:
        with formatter.section("Examples"):
            for line in examples.splitlines():
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")


def _write_options(command: click.Command, context: click.Context, formatter: click.HelpFormatter) -> None:
    options: dict[str, list[tuple[str, str]]] = {"Options": [], **{group: [] for group in _GROUPS}}
    for group, record in _records(command, context):
        options[group].append(record)
    for group, records in options.items():
        if records:
            with formatter.section(group):
                formatter.write_dl(records)
    if isinstance(command, click.Group):
        command.format_commands(context, formatter)


def _records(command: click.Command, context: click.Context) -> Iterator[tuple[str, tuple[str, str]]]:
    """Each option as click shows it, with its group."""
    options = [parameter for parameter in command.get_params(context) if isinstance(parameter, click.Option)]
    group_of = {name: group for group, names in _GROUPS.items() for name in names}
    has_findings = any(option.name == "select" for option in options)  # else these names have another meaning
    for option in options:
        name = "help" if "--help" in option.opts else option.name  # click has its own name for it
        group = group_of.get(name or "", "Options")
        if record := option.get_help_record(context):
            yield ("Options" if group == _FINDINGS and not has_findings else group), record
