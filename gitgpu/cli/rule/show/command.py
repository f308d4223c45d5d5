"""Show why the rule with this CODE exists, a bad and a good example, and its sources."""

from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.codes import replacements
from gitgpu.cli.output.refusal import JSON, nameless, refuse_name
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.output.terminal import columns
from gitgpu.cli.parameters import as_value
from gitgpu.cli.rule.rules import every_rule
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import catalog
from gitgpu.report.envelope import envelope
from gitgpu.report.reference.faults import Fault, faults
from gitgpu.report.reference.rules import facts, page
from gitgpu.rule import AnyRule
from gitgpu.rules.norms import norms
from gitgpu.rules.visibility import Visibility, needed_visibility, visibility_text
from gitgpu.spelling import nearest


class Arguments(NamedTuple):
    """The argument and option of `gitgpu rule show`."""

    code: str
    output_format: str


@click.command("show", short_help=__doc__)
@click.argument("code")
@options.answer_format
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Show why the rule with this CODE exists, a bad and a good example, and its sources.

    For codes that are not rules (faults), show their meaning and fix.

    \b
    gitgpu rule show SKU001
    """
    rules = {rule.code: (rule, looks_at) for rule, looks_at in every_rule()}
    other = {fault.code: fault for fault in faults()}
    wanted = replacements().get(arguments.code.upper(), arguments.code.upper())
    if wanted in other:
        _show_fault(other[wanted], arguments.output_format)
        return 0
    if wanted not in rules:
        closest = nearest(wanted, [*rules, *other])
        hint = f"did you mean {closest}?" if closest else "`gitgpu rule list` shows every rule"
        return refuse_name(nameless("CLI002", f"unknown code '{arguments.code}'", hint), arguments.output_format)
    _show_rule(*rules[wanted], arguments.output_format)
    return 0


def _show_rule(rule: AnyRule, looks_at: str, output_format: str) -> None:
    needed = _needs(rule) if looks_at == "objects" else ()
    if output_format == JSON:
        content = facts(rule, looks_at)
        if needed:
            content["sees"] = [visibility.value for visibility in needed]
        send(envelope("Rule", {"rule": content}))
    else:
        say(page(rule, looks_at, visibility_text(needed) if needed else ""), width=columns())


def _show_fault(fault: Fault, output_format: str) -> None:
    if output_format == JSON:
        send(envelope("Fault", {"fault": {"code": fault.code, "summary": fault.summary, "help": fault.help}}))
    else:
        say(f"{fault.code}: {fault.section}\n\n{fault.summary}\n{fault.help}\n")


def _needs(rule: AnyRule) -> tuple[Visibility, ...]:
    """What an object rule needs to see."""
    return needed_visibility(rule, norms(Schemas(), catalog(())))
