"""Copy the versions of one ring of the fleet to the next ring."""

from collections.abc import Sequence
from typing import Any

import click

from gitgpu.amend.promotion import VERSIONS, promotion
from gitgpu.cli import options
from gitgpu.cli.refusal import nameless, refuse_name
from gitgpu.cli.settings import Chosen, apart, settings
from gitgpu.cli.spec_changes.answer import COULD_NOT_RUN, Manner, answer, refuse
from gitgpu.cli.spec_changes.change import change, read_fleet
from gitgpu.cli.spec_changes.targets import fleet_document, unknown_ring, unknown_stack_key
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.shape import Document


@click.command("promote", short_help=__doc__)
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@options.paths
@click.option("--also", "keys", multiple=True, metavar="KEY", help="Copy this key of the stack too; repeatable.")
@options.dry_run
@click.option("--force", is_flag=True, help="Promote to a ring that is not the next one, or over a blocked upgrade.")
@options.answer_format
@options.colour
def COMMAND(source: str, target: str, form: str, when: str, **rest: Any) -> int:
    """Copy what ring FROM has and ring TO does not: stack.versions, and other keys of the stack with --also.

    The plan for the clusters of TO is shown, and the spec is edited; comments and order stay. TO must be the ring after
    FROM. Exit status: 0 promoted, or nothing to promote; 1 refused; 2 could not run.

    \b
    gitgpu promote canary prod --dry-run
    gitgpu promote canary prod
    gitgpu promote canary prod --also values.gpu-operator --also health
    """
    options.no_standard_input(rest["paths"])
    where = apart(settings(rest["paths"], Chosen()))
    read = read_fleet(where)
    errors = [each for each in (*where.faults, *read.diagnostics) if each.severity is Severity.ERROR]
    fleet = fleet_document(read)
    if errors or fleet is None:
        return refuse(read, errors, form, COULD_NOT_RUN)
    for problem in (*(unknown_ring(fleet, name) for name in (source, target)), *map(unknown_stack_key, rest["keys"])):
        if problem:
            return refuse_name(nameless("CLI002", *problem), form)
    if source == target:
        raise click.UsageError("FROM and TO are the same ring")
    names = [ring["name"] for ring in fleet.data["spec"]["rings"]]
    here, there = names.index(source), names.index(target)
    if there != here + 1 and not rest["force"]:
        return refuse(read, [_skipped(fleet, names, (here, there))], form)
    keys = [VERSIONS, *(tuple(key.split(".")) for key in rest["keys"])]
    made = change(where, read, promotion(fleet, here, there, keys))
    manner = Manner(form, options.style(when), rest["dry_run"], rest["force"])
    return answer(made, read, manner, f"nothing to promote: {target} has what {source} has")


def _skipped(fleet: Document, names: Sequence[str], places: tuple[int, int]) -> Diagnostic:
    """That the target is not the ring after the source."""
    here, there = places
    between = names[here + 1 : there]
    message = f"ring '{names[there]}' comes before '{names[here]}'"
    remedy = "promote in the order of the rings, or use --force"
    if between:
        message = f"ring '{names[there]}' does not follow '{names[here]}': between them is {', '.join(between)}"
        remedy = f"promote {names[here]} to {between[0]} first, or use --force"
    span = fleet.places.span(("spec", "rings", there, "name"))
    return Diagnostic("EDT002", Severity.ERROR, message, remedy, span, f"/spec/rings/{there}/name", fleet.ref)
