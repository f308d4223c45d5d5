"""Show the rules and their reasons: list, show."""

from typing import TypeAlias

import click

from gitgpu.cli import options
from gitgpu.cli.codes import replaced
from gitgpu.cli.output.refusal import nameless, refuse_name
from gitgpu.cli.output.streams import say, send
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import catalog
from gitgpu.report.envelope import envelope
from gitgpu.report.reference.faults import Fault, faults
from gitgpu.report.reference.rules import facts, listing, page
from gitgpu.rule import AnyRule
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.norms import norms
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.rules.visibility import Visibility, needed_visibility, visibility_text
from gitgpu.spelling import nearest

ListedRule: TypeAlias = tuple[AnyRule, str]


@click.group("rule", short_help=__doc__)
def COMMAND() -> None:
    """Show the rules and their reasons."""


@COMMAND.command("list")
@options.answer_format
@options.colour
def list_rules(output_format: str, colour: str) -> None:
    """List rules, sorted by code.

    \b
    gitgpu rule list -o json
    """
    if output_format == "json":
        rules = [facts(rule, looks_at) for rule, looks_at in _rules()]
        send(envelope("RuleList", {"rules": rules}))
    else:
        style = options.style(colour)
        say(listing(_rules(), style), colour=style.colour, width=style.width)


@COMMAND.command("show")
@click.argument("code")
@options.answer_format
def show(code: str, output_format: str) -> int:
    """Show why the rule with this CODE exists, a bad and a good example, and its sources.

    For codes that are not rules (faults), show their meaning and fix.

    \b
    gitgpu rule show SKU001
    """
    rules = {rule.code: (rule, looks_at) for rule, looks_at in _rules()}
    other = {fault.code: fault for fault in faults()}
    wanted = replaced().get(code.upper(), code.upper())
    if wanted in other:
        _show_fault(other[wanted], output_format)
        return 0
    if wanted not in rules:
        closest = nearest(wanted, [*rules, *other])
        hint = f"did you mean {closest}?" if closest else "`gitgpu rule list` shows every rule"
        return refuse_name(nameless("CLI002", f"unknown code '{code}'", hint), output_format)
    _show_rule(*rules[wanted], output_format)
    return 0


def _show_rule(rule: AnyRule, looks_at: str, output_format: str) -> None:
    needed = _needed(rule) if looks_at == "objects" else ()
    if output_format == "json":
        content = facts(rule, looks_at)
        if needed:
            content["sees"] = [visibility.value for visibility in needed]
        send(envelope("Rule", {"rule": content}))
    else:
        say(page(rule, looks_at, visibility_text(needed) if needed else ""), width=options.columns())


def _show_fault(fault: Fault, output_format: str) -> None:
    if output_format == "json":
        send(envelope("Fault", {"fault": {"code": fault.code, "summary": fault.summary, "help": fault.help}}))
    else:
        say(f"{fault.code}: {fault.section}\n\n{fault.summary}\n{fault.help}\n")


def _needed(rule: AnyRule) -> tuple[Visibility, ...]:
    """What an object rule needs to see."""
    return needed_visibility(rule, norms(Schemas(), catalog(())))


def _rules() -> list[ListedRule]:
    fleet: list[ListedRule] = [(rule, "fleet") for rule in fleet_rules()]
    objects: list[ListedRule] = [(rule, "objects") for rule in object_rules()]
    return sorted(fleet + objects, key=_code)


def _code(listed: ListedRule) -> str:
    rule, _ = listed
    return rule.code
