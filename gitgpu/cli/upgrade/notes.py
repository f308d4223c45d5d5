"""Notes about the pins of an upgrade: which are a step or have no effect, and which clusters keep their version."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gitgpu.cli.output.streams import note
from gitgpu.cli.upgrade.pins import Target, clusters_of, software_on
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.outdated import standings
from gitgpu.runs.amend import Assignment
from gitgpu.runs.installations import installations
from gitgpu.spelling import MAX_LISTED, comma_separated, join_names


class Pins(NamedTuple):
    """The pins to write, and the pins as they would be if every version could be reached in one step."""

    written: list[Assignment]
    newest: list[Assignment]


def note_pins(pins: Pins, inputs: Inputs, places: Sequence[Target]) -> None:
    """Notes versions that are only a step towards the newest, clusters that keep a version, and pins without effect."""
    values, newest = pins
    steps = {(pin.pointer[-1], pin.value, far.value) for pin, far in zip(values, newest, strict=True) if pin != far}
    for name, version, far in sorted(steps):
        note(f"{name} {version} is one step towards {far}; upgrade again when it runs on every cluster")
    _note_keepers(places, values)
    _note_unused(inputs, places, values)


def _note_unused(inputs: Inputs, places: Sequence[Target], assignments: Sequence[Assignment]) -> None:
    """Notes the pins that have no effect, because gitgpu does not install their software on these clusters."""
    installed = software_on(inputs, clusters_of(places))
    for name in sorted({str(assignment.pointer[-1]) for assignment in assignments} - installed):
        note(f"gitgpu does not install {name} on these clusters: the pin has no effect")


def note_why_none(inputs: Inputs, places: Sequence[Target], requested: Iterable[str]) -> None:
    """Notes why nothing is pinned: the software is not installed, or a pin closer to the cluster keeps it outdated."""
    clusters = clusters_of(places)
    installed = software_on(inputs, clusters)
    for name in requested:
        if name not in installed:
            note(f"{name} is not installed on {'any of these clusters' if len(clusters) > 1 else 'this cluster'}")
    rows = standings(inputs, clusters, installations(inputs))
    outdated = {row.software for row in rows if row.is_outdated}
    kept_names = sorted(name for name in outdated.intersection(requested or outdated) if _keepers(places, name))
    if kept_names:
        is_in_ring = any("rings" in target.pointer for target in places)
        rings = "" if is_in_ring else "rings and "
        options = "--ring or --cluster" if rings else "--cluster"
        note(f"pins of {rings}clusters stay: use {options} to upgrade {join_names(kept_names)}")


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
