"""Change the versions that the spec pins, and show what that does to the clusters."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from gitgpu.amend import Assignment
from gitgpu.check.names import join_names
from gitgpu.cli import options
from gitgpu.cli.output.refusal import JSON, nameless, refuse_name
from gitgpu.cli.output.streams import note
from gitgpu.cli.spec_changes.answer import Manner, answer
from gitgpu.cli.spec_changes.change import change
from gitgpu.cli.spec_changes.editable import Editable, editable
from gitgpu.cli.spec_changes.pins import Target, pins, problem, targets, upgrades
from gitgpu.cli.spec_changes.targets import unknown_ring
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.installed import installed_software
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

    Without NAME, upgrade everything that is outdated. If the newest version cannot be reached in one step, the pin is
    the newest that can. The pins are written to the defaults of the Fleet, to a ring or
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
    asked = _asked(wanted, pin=rest["pin"])
    if wrong := _unknown(found, rest["ring"], asked):
        return refuse_name(nameless("CLI002", *wrong), form)
    places = targets(found.read, found.inputs, rest["ring"], rest["globs"])
    manner = Manner(form, options.style(when), rest["dry_run"], rest["force"])
    values, newest = _pins(found.inputs, places, asked, rest)
    status = answer(change(found.where, found.read, values), found.read, manner, "nothing to pin or upgrade")
    _tell_pins((values, newest), found.inputs, places)
    if form != JSON and not values:
        _tell_why_none(found.inputs, places, asked)
    return status


def _pins(
    inputs: Inputs, places: Sequence[Target], asked: Mapping[str, str], rest: Mapping[str, Any]
) -> tuple[list[Assignment], list[Assignment]]:
    """The pins to write, and what they would be if every version could be reached in one step."""
    if rest["pin"]:
        found = pins(inputs, places, asked)
        return found, found
    newest = upgrades(inputs, places, asked, step=False)
    return newest if rest["force"] else upgrades(inputs, places, asked, step=True), newest


def _check_scope(ring: str | None, globs: Sequence[str]) -> None:
    if ring and globs:
        raise click.UsageError("--ring and --cluster cannot be used together")


def _asked(words: Sequence[str], *, pin: bool) -> dict[str, str]:
    """The version for each name, "" for the newest. Raises click.UsageError where the words say no single one."""
    asked: dict[str, str] = {}
    for word in words:
        name, equals, version = word.partition("=")
        if equals and not version:
            raise click.UsageError(f"'{word}' has no version; write {name}=VERSION, or {name} for the newest one")
        if pin and version:
            raise click.UsageError(f"--pin writes the version that is built today; write {name} without a version")
        if asked.setdefault(name, version) != version:
            raise click.UsageError(f"{name} is named twice, with different versions")
    return asked


def _unknown(found: Editable, ring: str | None, asked: Mapping[str, str]) -> tuple[str, str] | None:
    """What is wrong with the first name that is unknown, and the remedy."""
    problems = (problem(found.inputs, *pair) for pair in asked.items())
    return (unknown_ring(found.fleet, ring) if ring else None) or next(filter(None, problems), None)


def _tell_pins(found: tuple[list[Assignment], list[Assignment]], inputs: Inputs, places: Sequence[Target]) -> None:
    """Notes the versions that are only a step, because the way to the newest is blocked, and who keeps a version."""
    values, newest = found
    steps = {(pin.pointer[-1], pin.value, far.value) for pin, far in zip(values, newest, strict=True) if pin != far}
    for name, version, far in sorted(steps):
        note(f"{name} {version} is one step towards {far}; upgrade again when it runs on every cluster")
    _tell_keepers(inputs, places, values)


def _tell_why_none(inputs: Inputs, places: Sequence[Target], asked: Iterable[str]) -> None:
    """Notes why nothing is pinned: what is asked for is not installed, or what is outdated has a nearer pin."""
    clusters = [cluster for target in places for cluster in target.clusters]
    installed = {name for cluster in clusters for name in installed_software(inputs, cluster)}
    for name in asked:
        if name not in installed:
            note(f"{name} is not installed on {'any of these clusters' if len(clusters) > 1 else 'this cluster'}")
    outdated = {each.software for each in standings(inputs, clusters) if each.is_outdated}
    kept = sorted(name for name in outdated.intersection(asked or outdated) if _keepers(inputs, places, name))
    if kept:
        rings = "" if any("rings" in target.pointer for target in places) else "rings and "
        options = "--ring or --cluster" if rings else "--cluster"
        note(f"pins of {rings}clusters stay: use {options} to upgrade {join_names(kept)}")


def _tell_keepers(inputs: Inputs, places: Sequence[Target], found: Sequence[Assignment]) -> None:
    """Notes the clusters that a pin does not reach, because they or their rings pin another version."""
    for name in dict.fromkeys(str(each.pointer[-1]) for each in found):
        if kept := _keepers(inputs, places, name):
            note(f"{name} is pinned nearer to these clusters, which keep their version: {', '.join(kept[:8])}")


def _keepers(inputs: Inputs, places: Sequence[Target], name: str) -> list[str]:
    return [cluster.name for target in places for cluster in target.keepers(inputs, name)]
