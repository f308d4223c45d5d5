"""List rules, sorted by code."""

from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.output.refusal import JSON
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.parameters import as_value
from gitgpu.cli.rule.rules import every_rule
from gitgpu.report.envelope import envelope
from gitgpu.report.findings import Style
from gitgpu.report.reference.rules import facts, listing


class Arguments(NamedTuple):
    """The options of `gitgpu rule list`."""

    output_format: str
    style: Style


@click.command("list", short_help=__doc__)
@options.answer_format
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> None:
    """List rules, sorted by code.

    \b
    gitgpu rule list -o json
    """
    rules = every_rule()
    if arguments.output_format == JSON:
        send(envelope("RuleList", {"rules": [facts(rule, looks_at) for rule, looks_at in rules]}))
    else:
        style = arguments.style
        say(listing(rules, style), colour=style.colour, width=style.width)
