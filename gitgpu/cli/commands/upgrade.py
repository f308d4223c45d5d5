"""Change the versions that the spec pins, and show what that does to the clusters."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import click

from gitgpu.cli import options
from gitgpu.cli.output.refusal import JSON, nameless, refuse_name
from gitgpu.cli.output.streams import note
from gitgpu.cli.spec_changes.answer import AnswerOptions, answer
from gitgpu.cli.spec_changes.change import MENDED, Change, change
from gitgpu.cli.spec_changes.editable import Editable, editable
from gitgpu.cli.spec_changes.pins import Target, clusters_of, installed_on, pins, problem, targets, upgrades
from gitgpu.cli.spec_changes.targets import unknown_ring
from gitgpu.diagnostic import Problem
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.outdated import standings
from gitgpu.model.software.transitions import Verdict
from gitgpu.runs.amend import Assignment
from gitgpu.spelling import MAX_LISTED, comma_separated, join_names

# The pins to write, and the pins as they would be if every version could be reached in one step.
_Both: TypeAlias = tuple[list[Assignment], list[Assignment]]


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
@options.dry_run
@click.option("--force", is_flag=True, help="Upgrade even if the catalog says that the upgrade is blocked.")
@options.answer_format
@options.colour
def COMMAND(wanted: tuple[str, ...], output_format: str, colour: str, **rest: Any) -> int:
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
    _check_scope(rest["ring"], rest["globs"])
    requested = _requested(wanted, pin=rest["pin"])
    spec = editable(rest["paths"], output_format, MENDED if any(requested.values()) else ())
    if isinstance(spec, int):
        return spec
    if wrong := _unknown(spec, rest["ring"], requested):
        return refuse_name(nameless("CLI002", *wrong), output_format)
    places = targets(spec.read, spec.inputs, rest["ring"], rest["globs"])
    answer_options = AnswerOptions(output_format, options.style(colour), rest["dry_run"], rest["force"])
    result, written = _pinned(spec, places, requested, rest)
    status = answer(result, spec.read, answer_options, "nothing to pin or upgrade")
    _note_pins(written, spec.inputs, places)
    if output_format != JSON and not written[0]:
        _note_why_none(spec.inputs, places, requested)
    return status


def _pinned(
    spec: Editable, places: Sequence[Target], requested: Mapping[str, str], rest: Mapping[str, Any]
) -> tuple[Change, _Both]:
    """The change, and the pins that it writes. Blocked upgrades are omitted, unless they were requested by name."""
    both = _pins(spec.inputs, places, requested, rest)
    result = change(spec.settings, spec.read, both[0])
    blocked = set() if requested or rest["force"] else _blocked(result)
    if not blocked:
        return result, both
    values, newest = (_without(blocked, pins) for pins in both)
    return change(spec.settings, spec.read, values), (values, newest)


def _without(blocked: Collection[str | int], pins: Sequence[Assignment]) -> list[Assignment]:
    return [pin for pin in pins if pin.pointer[-1] not in blocked]


def _pins(inputs: Inputs, places: Sequence[Target], requested: Mapping[str, str], rest: Mapping[str, Any]) -> _Both:
    """The pins to write, and the pins as they would be if every version could be reached in one step."""
    if rest["pin"]:
        pinned = pins(inputs, places, requested)
        return pinned, pinned
    newest = upgrades(inputs, places, requested, step=False)
    return newest if rest["force"] else upgrades(inputs, places, requested, step=True), newest


def _blocked(result: Change) -> set[str]:
    """The software that the catalog does not let upgrade as it is installed. Notes the reason for each."""
    blocked = [step.transition for step in result.steps if step.transition.verdict is Verdict.BLOCKED]
    for standing in blocked:
        note(f"{standing.software} stays at {standing.old}: {standing.why}")
    return {standing.software for standing in blocked}


def _check_scope(ring: str | None, globs: Sequence[str]) -> None:
    if ring is not None and globs:
        raise click.UsageError("--ring and --cluster cannot be used together")


def _requested(words: Sequence[str], *, pin: bool) -> dict[str, str]:
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


def _unknown(spec: Editable, ring: str | None, requested: Mapping[str, str]) -> Problem | None:
    """What is wrong with the first name that is unknown, and the remedy."""
    if wrong := unknown_ring(spec.fleet, ring) if ring is not None else None:
        return wrong
    for name, version in requested.items():
        if wrong := problem(spec.inputs, name, version):
            # Other commands take the path of the fleet as an argument.
            is_path = not spec.inputs.catalog.versions(name) and os.path.exists(name)
            return wrong._replace(remedy=f"to name the fleet, use --fleet {name}") if is_path else wrong
    return None


def _note_pins(both: _Both, inputs: Inputs, places: Sequence[Target]) -> None:
    """Notes versions that are only a step towards the newest, clusters that keep a version, and pins without effect."""
    values, newest = both
    steps = {(pin.pointer[-1], pin.value, far.value) for pin, far in zip(values, newest, strict=True) if pin != far}
    for name, version, far in sorted(steps):
        note(f"{name} {version} is one step towards {far}; upgrade again when it runs on every cluster")
    _note_keepers(places, values)
    _note_unused(inputs, places, values)


def _note_unused(inputs: Inputs, places: Sequence[Target], assignments: Sequence[Assignment]) -> None:
    """Notes the pins that have no effect, because gitgpu does not install their software on these clusters."""
    installed = installed_on(inputs, clusters_of(places))
    for name in sorted({str(assignment.pointer[-1]) for assignment in assignments} - installed):
        note(f"gitgpu does not install {name} on these clusters: the pin has no effect")


def _note_why_none(inputs: Inputs, places: Sequence[Target], requested: Iterable[str]) -> None:
    """Notes why nothing is pinned: the software is not installed, or a pin closer to the cluster keeps it outdated."""
    clusters = clusters_of(places)
    installed = installed_on(inputs, clusters)
    for name in requested:
        if name not in installed:
            note(f"{name} is not installed on {'any of these clusters' if len(clusters) > 1 else 'this cluster'}")
    outdated = {standing.software for standing in standings(inputs, clusters) if standing.is_outdated}
    kept = sorted(name for name in outdated.intersection(requested or outdated) if _keepers(places, name))
    if kept:
        in_ring = any("rings" in target.pointer for target in places)
        rings = "" if in_ring else "rings and "
        options = "--ring or --cluster" if rings else "--cluster"
        note(f"pins of {rings}clusters stay: use {options} to upgrade {join_names(kept)}")


def _note_keepers(places: Sequence[Target], assignments: Sequence[Assignment]) -> None:
    """Notes the clusters that a pin does not affect, because they or their rings pin another version."""
    for name in dict.fromkeys(str(assignment.pointer[-1]) for assignment in assignments):
        if kept := _keepers(places, name):
            clusters = comma_separated(kept, MAX_LISTED)
            note(f"{name} is pinned on these clusters or their rings, which keep that version: {clusters}")


def _keepers(places: Sequence[Target], name: str) -> list[str]:
    keeping: list[str] = []
    for target in places:
        keeping += [cluster.name for cluster in target.keepers(name)]
    return keeping
