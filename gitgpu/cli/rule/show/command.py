"""Show why the rule with this CODE or name exists, a bad and a good example, and its sources."""

from collections.abc import Sequence
from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.codes import nearest_code, replacements
from gitgpu.cli.output.refusal import JSON, nameless, refuse_name
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.output.terminal import columns
from gitgpu.cli.parameters import as_value
from gitgpu.cli.rule.rules import ListedRule, every_rule, symptoms_by_rule
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import catalog
from gitgpu.model.symptoms import symptoms
from gitgpu.report.envelope import envelope
from gitgpu.report.reference.faults import Fault, faults
from gitgpu.report.reference.rules import Shown, facts, page
from gitgpu.rule import AnyRule
from gitgpu.rules.norms import norms
from gitgpu.rules.visibility import Visibility, needed_visibility, visibility_text
from gitgpu.spelling import nearest


class Arguments(NamedTuple):
    """The argument and options of `gitgpu rule show`."""

    code: str
    every: bool
    output_format: str


@click.command("show", short_help=__doc__)
@click.argument("code")
@click.option("--all", "every", is_flag=True, help="Show all examples, not only the first bad and the first good one.")
@options.answer_format
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Show why the rule with this CODE or name exists, a bad and a good example, and its sources.

    For codes that are not rules (faults), show their meaning and fix.

    \b
    gitgpu rule show SKU001
    gitgpu rule show retired-size --all
    """
    rules = {rule.code: (rule, looks_at) for rule, looks_at in every_rule()}
    other = {fault.code: fault for fault in faults()}
    named = [rule.code for rule, _ in rules.values() if rule.name == arguments.code.lower()]
    written = arguments.code.upper()
    wanted = named or [replacements().get(written, written)]
    if wanted[0] in other:
        _show_fault(other[wanted[0]], arguments.output_format)
        return 0
    if wanted[0] not in rules:
        names = [rule.name for rule, _ in rules.values()]
        closest = nearest_code(written, [*rules, *other]) or _nearest_name(arguments.code.lower(), names)
        hint = f"did you mean {closest}?" if closest else "`gitgpu rule list WORDS` searches the rules"
        return refuse_name(nameless("CLI002", f"unknown rule '{arguments.code}'", hint), arguments.output_format)
    _show_rules([rules[code] for code in wanted], arguments)
    return 0


def _nearest_name(written: str, names: Sequence[str]) -> str:
    """The name that is most similar, with its words in any order: scale-target-missing for missing-scale-target."""
    by_words, words = {_sorted_words(name): name for name in names}, _sorted_words(written)
    return by_words.get(words) or nearest(written, names) or by_words.get(nearest(words, [*by_words]), "")


def _sorted_words(name: str) -> str:
    return "-".join(sorted(name.split("-")))


def _show_rules(listed: Sequence[ListedRule], arguments: Arguments) -> None:
    """A rule, or two with one name: one reads a fleet, the other objects. JSON has the first, which names its twin."""
    known = symptoms_by_rule(symptoms(catalog(())))
    if arguments.output_format == JSON:
        rule, looks_at = listed[0]
        needed = _needs(rule) if looks_at == "objects" else ()
        sees = {"sees": [visibility.value for visibility in needed]} if needed else {}
        send(envelope("Rule", {"rule": facts(rule, looks_at, known.get(rule.code, ())) | sees}))
        return
    pages, shown = [], Shown(arguments.every, columns())
    for rule, looks_at in listed:
        needed = _needs(rule) if looks_at == "objects" else ()
        sees_text = visibility_text(needed) if needed else ""
        pages.append(page(rule, looks_at, sees_text, known.get(rule.code, ()), shown))
    say("\n".join(pages))


def _show_fault(fault: Fault, output_format: str) -> None:
    if output_format == JSON:
        send(envelope("Fault", {"fault": {"code": fault.code, "summary": fault.summary, "help": fault.help}}))
    else:
        say(f"{fault.code}: {fault.section}\n\n{fault.summary}\n{fault.help}\n", width=columns())


def _needs(rule: AnyRule) -> tuple[Visibility, ...]:
    """What an object rule needs to see."""
    return needed_visibility(rule, norms(Schemas(), catalog(())))
