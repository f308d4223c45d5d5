"""The pins that `upgrade` writes: in which documents, for which clusters, and to which versions."""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

import click

from gitgpu.amend import Assignment
from gitgpu.check.value_origins import stack_place
from gitgpu.front import Checked
from gitgpu.load.spec.shape import Document
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.linking.rings import rings_of
from gitgpu.model.software.installed import installed_software
from gitgpu.model.software.outdated import compatible, reachable, side
from gitgpu.source import Pointer
from gitgpu.spelling import nearest


class Target(NamedTuple):
    """A place for pins, and the clusters that get them from there unless they or their ring say otherwise."""

    document: Document
    pointer: Pointer
    clusters: tuple[Cluster, ...]

    def pin(self, name: str, version: str) -> Assignment:
        """That it pins a version."""
        return Assignment(self.document, (*self.pointer, name), version)

    def keepers(self, inputs: Inputs, name: str) -> list[Cluster]:
        """The clusters that get the version from a place nearer to them. A Cluster is the nearest place."""
        if self.document.kind == "Cluster":
            return []
        own = (self.document.ref, (*self.pointer, name))
        shared = ("spec", "defaults", "stack", "versions", name)
        found = []
        for cluster in self.clusters:
            origin, place = stack_place(inputs, cluster, "versions", name)
            if name in cluster.stack.versions and (origin.ref, place) != own and place != shared:
                found.append(cluster)
        return found


def targets(read: Checked, inputs: Inputs, ring: str | None, globs: Sequence[str]) -> list[Target]:
    """The places for the pins of a ring, of clusters that globs name, or of the fleet. Raises click.UsageError."""
    fleet = next(document for document in read.documents if document.kind == "Fleet")
    end: Pointer = ("stack", "versions")
    if ring is not None:
        index = [each["name"] for each in rings_of(fleet)].index(ring)
        clusters = tuple(cluster for cluster in inputs.clusters if cluster.ring == ring)
        return [Target(fleet, ("spec", "rings", index, *end), clusters)]
    if globs:
        documents = {document.ref.name: document for document in read.documents if document.kind == "Cluster"}
        picked = [each for each in inputs.clusters if any(fnmatchcase(each.name, glob) for glob in globs)]
        if not picked:
            raise click.UsageError(f"no cluster matches {' '.join(globs)}")
        return [Target(documents[each.name], ("spec", *end), (each,)) for each in picked]
    return [Target(fleet, ("spec", "defaults", *end), inputs.clusters)]


def problem(inputs: Inputs, name: str, version: str) -> tuple[str, str] | None:
    """What is wrong with the name of a chart or image, or its version ("" for none), and the remedy."""
    known = list(inputs.catalog.versions(name))
    if not known:
        names = sorted({*inputs.catalog.rows("charts"), *inputs.catalog.rows("containers")})
        near = nearest(name, names)
        return f"the catalog has no chart or image '{name}'", f"did you mean {near}?" if near else ", ".join(names)
    if version and version not in known:
        remedy = f"write one of {', '.join(known)}, or add a release to your own catalog"
        return f"the catalog has no version '{version}' of {name}", remedy
    return None


def upgrades(inputs: Inputs, places: Sequence[Target], wanted: Mapping[str, str], *, step: bool) -> list[Assignment]:
    """The pins for these names and versions ("" for the newest that fits); without names, for all that is outdated.

    With `step`, a pin is the newest version that can be reached where the way to the newest that fits is blocked.
    """
    return [
        target.pin(name, version)
        for target in places
        for name in wanted or _installed(inputs, target.clusters)
        if (version := wanted.get(name) or _newer(inputs, target, name, step=step))
    ]


def pins(inputs: Inputs, places: Sequence[Target], names: Mapping[str, str]) -> list[Assignment]:
    """The pins that keep what is built today, for charts and images without one."""
    return [
        target.pin(name, inputs.catalog.version(name))
        for target in places
        for name in sorted(_unpinned(inputs, target.clusters))
        if not names or name in names
    ]


def _installed(inputs: Inputs, clusters: Sequence[Cluster]) -> list[str]:
    return sorted({name for cluster in clusters for name in installed_software(inputs, cluster)})


def _unpinned(inputs: Inputs, clusters: Sequence[Cluster]) -> Iterator[str]:
    pairs = {
        (name, name in cluster.stack.versions) for cluster in clusters for name in installed_software(inputs, cluster)
    }
    return (name for name, pinned in pairs if not pinned)


def _newer(inputs: Inputs, target: Target, name: str, *, step: bool) -> str:
    """The newest version that fits all clusters of a target; "" where one has it already, or a newer one.

    With `step`, the newest on the way to it that can be reached, if there is one.
    """
    kept = {cluster.name for cluster in target.keepers(inputs, name)}
    sides = [side(inputs, each) for each in target.clusters if each.name not in kept]
    order = {version: index for index, version in enumerate(inputs.catalog.versions(name))}
    best, _ = compatible(inputs, name, sides)
    current = [order[each.versions[name]] for each in sides if name in each.versions]
    if not (best and current and min(current) < order[best]):
        return ""
    return (reachable(inputs, name, sides) if step else "") or best
