"""The pins that `upgrade` writes: in which documents, for which clusters, and to which versions."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from gitgpu.cli.edits.targets import hint
from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.diagnostic import Problem
from gitgpu.load.spec.shape import Document
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.linking.rings import rings_of
from gitgpu.model.software.installed import installed_software
from gitgpu.model.software.outdated import compatible, reachable, side
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.inputs.pins import means_newest, same_version
from gitgpu.runs.amend import Assignment
from gitgpu.runs.validate import CheckedFleet
from gitgpu.source import Pointer
from gitgpu.spelling import one_of


class Target(NamedTuple):
    """A place for pins, and the clusters to which they apply unless the cluster or its ring has its own pin."""

    document: Document
    pointer: Pointer
    clusters: tuple[Cluster, ...]

    def pin(self, name: str, version: str) -> Assignment:
        """The edit that pins a version."""
        return Assignment(self.document, (*self.pointer, name), version)

    def keepers(self, name: str) -> list[Cluster]:
        """The clusters that get the version from a closer place. For a target that is a Cluster, there are none."""
        if self.document.kind == "Cluster":
            return []
        this_place = (self.document.ref, (*self.pointer, name))
        shared_place = ("spec", "defaults", "stack", "versions", name)  # of the Fleet: every other place is nearer
        keeping = []
        for cluster in self.clusters:
            origin, place = stack_place(cluster, "versions", name)
            if name in cluster.stack.versions and (origin.ref, place) != this_place and place != shared_place:
                keeping.append(cluster)
        return keeping


def targets(read: CheckedFleet, inputs: Inputs, ring: str | None, globs: Sequence[str]) -> list[Target]:
    """The places for the pins of a ring, of clusters that match globs, or of the fleet. Raises click.UsageError."""
    fleet = next(document for document in read.documents if document.kind == "Fleet")
    end: Pointer = ("stack", "versions")
    if ring is not None:
        index = [fleet_ring["name"] for fleet_ring in rings_of(fleet)].index(ring)
        clusters = tuple(cluster for cluster in inputs.clusters if cluster.ring == ring)
        return [Target(fleet, ("spec", "rings", index, *end), clusters)]
    if globs:
        documents = {document.ref.name: document for document in read.documents if document.kind == "Cluster"}
        names = ClusterSelection(tuple(globs)).require([cluster.name for cluster in inputs.clusters])
        picked = inputs.clusters_named(names)
        return [Target(documents[cluster.name], ("spec", *end), (cluster,)) for cluster in picked]
    return [Target(fleet, ("spec", "defaults", *end), inputs.clusters)]


def problem(inputs: Inputs, name: str, version: str) -> Problem | None:
    """What is wrong with the name of a chart or image, or with its version ("" for none), and the remedy."""
    versions = list(inputs.catalog.versions(name))
    if not versions:
        names = sorted({*inputs.catalog.rows("charts"), *inputs.catalog.rows("containers")})
        return Problem(f"the catalog has no chart or image '{name}'", hint(name, names))
    if version and version not in versions:
        same = same_version(version, versions)
        remedy = f"use {one_of(versions)}, or add a release to your own catalog"
        remedy = f"use {name}={same}" if same else remedy
        remedy = f"use {name} for the newest version" if means_newest(version) else remedy
        return Problem(f"the catalog has no version '{version}' of {name}", remedy)
    return None


def upgrades(inputs: Inputs, places: Sequence[Target], wanted: Mapping[str, str], *, step: bool) -> list[Assignment]:
    """The pins for these names and versions ("" for the newest compatible one); without names, for all outdated ones.

    With `step`, a pin is the newest version that can be reached if the upgrade to the newest compatible one is blocked.
    """
    assignments: list[Assignment] = []
    for target in places:
        for name in wanted or sorted(software_on(inputs, target.clusters)):
            version = wanted.get(name) or _newer(inputs, target, name, step=step)
            if version:
                assignments.append(target.pin(name, version))
    return assignments


def pins(inputs: Inputs, places: Sequence[Target], names: Mapping[str, str]) -> list[Assignment]:
    """Pins that keep the versions that are built today, for charts and images without a pin."""
    assignments: list[Assignment] = []
    for target in places:
        unpinned = _unpinned_software(inputs, target.clusters)
        wanted = sorted(unpinned.intersection(names) if names else unpinned)
        assignments += [target.pin(name, inputs.catalog.version(name)) for name in wanted]
    return assignments


def clusters_of(places: Sequence[Target]) -> list[Cluster]:
    """The clusters that get pins from these places."""
    clusters: list[Cluster] = []
    for target in places:
        clusters += target.clusters
    return clusters


def software_on(inputs: Inputs, clusters: Sequence[Cluster]) -> set[str]:
    """The charts and images that gitgpu installs on one of these clusters."""
    return set(chain.from_iterable(installed_software(inputs, cluster) for cluster in clusters))


def _unpinned_software(inputs: Inputs, clusters: Sequence[Cluster]) -> set[str]:
    """The charts and images that at least one of these clusters does not pin."""
    unpinned: set[str] = set()
    for cluster in clusters:
        unpinned.update(set(installed_software(inputs, cluster)).difference(cluster.stack.versions))
    return unpinned


def _newer(inputs: Inputs, target: Target, name: str, *, step: bool) -> str:
    """The newest version that is compatible with all clusters of a target; "" if one has it already, or a newer one.

    With `step`, the newest version on the way to it that can be reached, if there is one.
    """
    kept = {cluster.name for cluster in target.keepers(name)}
    sides = [side(inputs, cluster) for cluster in target.clusters if cluster.name not in kept]
    order = {version: index for index, version in enumerate(inputs.catalog.versions(name))}
    best, _ = compatible(inputs, name, sides)
    current = [order[cluster_side.versions[name]] for cluster_side in sides if name in cluster_side.versions]
    if not (best and current and min(current) < order[best]):
        return ""
    return (reachable(inputs, name, sides) if step else "") or best
