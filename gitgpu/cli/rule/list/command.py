"""List rules, or find them by words or by an error message."""

from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.output.refusal import JSON, refuse_name
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.parameters import as_value
from gitgpu.cli.rule.list.selection import Selection, selection
from gitgpu.cli.rule.rules import every_rule, symptoms_by_rule
from gitgpu.model.catalog import catalog
from gitgpu.model.symptoms import found_symptoms, symptoms
from gitgpu.report.envelope import envelope
from gitgpu.report.findings import Style
from gitgpu.report.reference.rules import facts, listing
from gitgpu.report.reference.symptoms import symptom_facts, symptom_text


class Arguments(NamedTuple):
    """The arguments of `gitgpu rule list`."""

    wanted: Selection
    output_format: str
    style: Style


@click.command("list", short_help=__doc__)
@selection
@options.table_format
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """List rules, sorted by code, or find them by words or by an error message.

    TEXT is searched in the code, the name, the reason and the symptoms of each rule. Paste an event, a condition or a
    line of a log: if it is known, its cause comes first.

    \b
    gitgpu rule list mig strategy
    gitgpu rule list '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.'
    gitgpu rule list --kind ScaledObject --severity error
    """
    wanted, style = arguments.wanted, arguments.style
    listed = every_rule()
    if fault := wanted.unknown_fault(listed):
        return refuse_name(fault, arguments.output_format)
    known = tuple(symptoms(catalog(())))
    found = found_symptoms(known, wanted.query) if wanted.query else []
    rules = wanted.select(listed, found)
    if arguments.output_format == JSON:
        by_rule = symptoms_by_rule(known)
        shown = [facts(rule, looks_at, by_rule.get(rule.code, ())) for rule, looks_at in rules]
        send(envelope("RuleList", {"symptoms": [symptom_facts(symptom) for symptom in found], "rules": shown}))
        return 0
    for symptom in found:
        say(f"{symptom_text(symptom, style)}\n", colour=style.colour)
    if rules:
        say(listing(rules, style), colour=style.colour, width=style.width)
    elif not found:
        say("No rule matches. `gitgpu rule list` lists all of them.\n")
    return 0
