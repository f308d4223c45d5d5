"""Change the versions that the spec pins, and show what that does to the clusters."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from gitgpu.amend import Assignment
from gitgpu.cli import options
from gitgpu.cli.output.refusal import JSON, nameless, refuse_name
from gitgpu.cli.output.streams import note
from gitgpu.cli.spec_changes.answer import Manner, answer
from gitgpu.cli.spec_changes.change import change
from gitgpu.cli.spec_changes.editable import Editable, editable
from gitgpu.cli.spec_changes.pins import Target, pins, problem, targets, upgrades
from gitgpu.cli.spec_changes.targets import unknown_ring
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.outdated import standings


@click.command("upgrade", short_help=__doc__)
@click.argument("wanted", nargs=-1, metavar="[NAME[=VERSION]]...")
@click.option("--fleet", "paths", multiple=True, metavar="PATH", help="A file or directory of the fleet; repeatable.")
@click.option("--ring", metavar="RING", help="Pin for the clusters of this ring.")
@click.option("--cluster", "globs", multiple=True, metavar="GLOB", help="Pin for these clusters; repeatable.")
@click.option("--pin", is_flag=True, help="Pin what is built today, where nothing is pinned. The output stays.")
@options.dry_run
@click.option("--force", is_flag=True, help="Upgrade even if the catalog says that the upgrade is blocked.")
@options.answer_format
@options.colour
def COMMAND(wanted: tuple[str, ...], form: str, when: str, **rest: Any) -> int:
    """Pin NAME, a chart or image, to VERSION or to the newest version that goes together with the rest.

    Without NAME, upgrade everything that is outdated. The pins are written to the defaults of the Fleet, to a ring or
    to clusters; comments and order of the spec stay. Shown are the verdict on each upgrade (safe, manual, blocked,
    unknown, unversioned: only safe means safe), what it does, and the plan. Exit status: 0 upgraded, or nothing to do;
    1 refused; 2 could not run.

    \b
    gitgpu upgrade --ring canary --dry-run
    gitgpu upgrade gpu-operator --ring canary
    gitgpu upgrade keda=2.19.0 --cluster 'lab-*'
    gitgpu upgrade --pin
    """
    _check_scope(rest["ring"], rest["globs"])
    found = editable(rest["paths"], form)
    if isinstance(found, int):
        return found
    asked = {name: version for name, _, version in (word.partition("=") for word in wanted)}
    if wrong := _unknown(found, rest["ring"], asked):
        return refuse_name(nameless("CLI002", *wrong), form)
    places = targets(found.read, found.inputs, rest["ring"], rest["globs"])
    manner = Manner(form, options.style(when), rest["dry_run"], rest["force"])
    values = (pins if rest["pin"] else upgrades)(found.inputs, places, asked)
    status = answer(change(found.where, found.read, values), found.read, manner, "nothing to pin or upgrade")
    _tell_keepers(found.inputs, places, values)
    outdated = any(each.is_outdated for each in standings(found.inputs, found.inputs.clusters))
    if outdated and form != JSON and not (values or rest["ring"] or rest["globs"]):
        note("pins of rings and clusters stay: use --ring or --cluster to upgrade them")
    return status


def _check_scope(ring: str | None, globs: Sequence[str]) -> None:
    if ring and globs:
        raise click.UsageError("--ring and --cluster cannot be used together")


def _unknown(found: Editable, ring: str | None, asked: Mapping[str, str]) -> tuple[str, str] | None:
    """What is wrong with the first name that is unknown, and the remedy."""
    problems = (problem(found.inputs, *pair) for pair in asked.items())
    return (unknown_ring(found.fleet, ring) if ring else None) or next(filter(None, problems), None)


def _tell_keepers(inputs: Inputs, places: Sequence[Target], found: Sequence[Assignment]) -> None:
    """Notes the clusters that a pin does not reach, because they or their rings pin another version."""
    for name in dict.fromkeys(str(each.pointer[-1]) for each in found):
        kept = [cluster.name for target in places for cluster in target.keepers(inputs, name)]
        if kept:
            note(f"{name} is pinned nearer to these clusters, which keep their version: {', '.join(kept[:8])}")
