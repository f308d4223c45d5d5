"""Change the versions that the spec pins, and show what that does to the clusters."""

import os
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import click

from gitgpu.cli.edits.answer import AnswerOptions, answer, answer_options
from gitgpu.cli.edits.change import MENDED, Change, change
from gitgpu.cli.edits.editable_fleet import EditableFleet, UneditableFleet, editable_fleet
from gitgpu.cli.edits.targets import unknown_ring
from gitgpu.cli.fleets.findings import refuse_fleet
from gitgpu.cli.output.refusal import JSON, nameless, refuse_name
from gitgpu.cli.output.streams import note
from gitgpu.cli.parameters import as_value
from gitgpu.cli.upgrade.notes import Pins, note_pins, note_why_none
from gitgpu.cli.upgrade.pins import Target, pins, problem, targets, upgrades
from gitgpu.diagnostic import Problem
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.transitions import Verdict
from gitgpu.runs.amend import Assignment


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu upgrade`."""

    wanted: tuple[str, ...]
    paths: tuple[str, ...]
    ring: str | None
    globs: tuple[str, ...]
    pin: bool
    options: AnswerOptions


@click.command("upgrade", short_help=__doc__)
@click.argument("wanted", nargs=-1, metavar="[NAME[=VERSION]]...")
@click.option(
    "--fleet",
    "paths",
    multiple=True,
    metavar="PATH",
    help="A file or directory of the fleet; repeatable.  [default: `fleet` in .gitgpu.yaml, or fleet.yaml, or fleet]",
)
@click.option("--ring", metavar="RING", help="Pin for the clusters of this ring.")
@click.option("--cluster", "globs", multiple=True, metavar="GLOB", help="Pin for these clusters; repeatable.")
@click.option("--pin", is_flag=True, help="Pin unpinned software to its current version. The output is the same.")
@answer_options("Upgrade even if the catalog says that the upgrade is blocked.")
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Pin NAME, a chart or image, to VERSION or to the newest compatible version.

    Without NAME, upgrade everything that is outdated and not blocked. If the newest version cannot be reached in one
    step, pin the newest version that can. The pins are written to the defaults of the Fleet, to a ring or to clusters;
    comments and key order are preserved. The command shows the verdict on each upgrade (safe, manual, blocked, unknown
    or unversioned), its effects, and the plan. Check every upgrade that is not safe. NAME=VERSION also replaces a pin
    that is an error (VER002, VER003). Exit status: 0 upgraded, or nothing to do; 1 refused; 2 could not run.

    \b
    gitgpu upgrade --ring canary --dry-run
    gitgpu upgrade gpu-operator --ring canary
    gitgpu upgrade keda=2.19.0 --cluster 'lab-*'
    gitgpu upgrade --pin
    """
    if arguments.ring is not None and arguments.globs:
        raise click.UsageError("--ring and --cluster cannot be used together")
    requested = _requested_versions(arguments.wanted, pin=arguments.pin)
    spec = editable_fleet(arguments.paths, MENDED if any(requested.values()) else ())
    if isinstance(spec, UneditableFleet):
        return refuse_fleet(spec.read, spec.faults, arguments.options.output_format)
    if wrong := _unknown(spec, arguments.ring, requested):
        return refuse_name(nameless("CLI002", *wrong), arguments.options.output_format)
    places = targets(spec.read, spec.inputs, arguments.ring, arguments.globs)
    result, found = _change(spec, places, requested, arguments)
    status = answer(result, spec.read, arguments.options, "nothing to pin or upgrade")
    note_pins(found, spec.inputs, places)
    if arguments.options.output_format != JSON and not found.written:
        note_why_none(spec.inputs, places, requested)
    return status


def _change(
    spec: EditableFleet, places: Sequence[Target], requested: Mapping[str, str], arguments: Arguments
) -> tuple[Change, Pins]:
    """The change, and the pins that it writes. Blocked upgrades are omitted, unless they were requested by name."""
    found = _pins(spec.inputs, places, requested, arguments)
    result = change(spec.settings, spec.read, found.written)
    blocked = set() if requested or arguments.options.force else _blocked_software(result)
    if not blocked:
        return result, found
    left = Pins(_without(blocked, found.written), _without(blocked, found.newest))
    return change(spec.settings, spec.read, left.written), left


def _without(blocked: Collection[str | int], pins: Sequence[Assignment]) -> list[Assignment]:
    return [pin for pin in pins if pin.pointer[-1] not in blocked]


def _pins(inputs: Inputs, places: Sequence[Target], requested: Mapping[str, str], arguments: Arguments) -> Pins:
    if arguments.pin:
        current = pins(inputs, places, requested)
        return Pins(current, current)
    newest = upgrades(inputs, places, requested, step=False)
    return Pins(newest if arguments.options.force else upgrades(inputs, places, requested, step=True), newest)


def _blocked_software(result: Change) -> set[str]:
    """The software that the catalog does not let upgrade as it is installed. Notes the reason for each."""
    blocked = [step.transition for step in result.steps if step.transition.verdict is Verdict.BLOCKED]
    for standing in blocked:
        note(f"{standing.software} stays at {standing.old}: {standing.why}")
    return {standing.software for standing in blocked}


def _requested_versions(words: Sequence[str], *, pin: bool) -> dict[str, str]:
    """The version for each name, "" for the newest. Raises click.UsageError for an invalid or ambiguous version."""
    requested: dict[str, str] = {}
    for word in words:
        name, equals, version = word.partition("=")
        if not name:
            raise click.UsageError(f"'{word}' has no name; use NAME=VERSION")
        if equals and not version:
            raise click.UsageError(f"'{word}' has no version; use {name}=VERSION, or {name} for the newest one")
        if pin and version:
            raise click.UsageError(f"--pin writes the version that is built today; use {name} without a version")
        if requested.setdefault(name, version) != version:
            raise click.UsageError(f"{name} is listed twice with different versions")
    return requested


def _unknown(spec: EditableFleet, ring: str | None, requested: Mapping[str, str]) -> Problem | None:
    """What is wrong with the first name that is unknown, and the remedy."""
    if wrong := unknown_ring(spec.fleet, ring) if ring is not None else None:
        return wrong
    for name, version in requested.items():
        if wrong := problem(spec.inputs, name, version):
            # Other commands take the path of the fleet as an argument.
            is_path = not spec.inputs.catalog.versions(name) and os.path.exists(name)
            return wrong._replace(remedy=f"to name the fleet, use --fleet {name}") if is_path else wrong
    return None
