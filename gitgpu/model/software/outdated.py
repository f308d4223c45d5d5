"""The versions on clusters, the newest compatible ones, and why these are not the newest of all."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.compatibility import Conflict, conflicts
from gitgpu.model.software.drivers import oldest_driver
from gitgpu.model.software.installed import installed_software
from gitgpu.model.software.operator_limits import operator_conflicts
from gitgpu.model.software.support import Support, support
from gitgpu.model.software.transitions import Installation, Transition, Verdict, transition

KUBERNETES, DRIVER = "kubernetes", "driver"
# How software is installed on a cluster, None if that does not matter or is not known.
Installed: TypeAlias = Callable[[Cluster, str], Installation | None]


class Side(NamedTuple):
    """A cluster, and all versions on it."""

    cluster: Cluster
    versions: Mapping[str, str]


class _Group(NamedTuple):
    """Clusters of a ring that have software in the same version."""

    ring: str
    software: str
    version: str


class Newer(NamedTuple):
    """A version that upstream names, but that the catalog does not have: why, and the day on which it was tried."""

    version: str
    why: str
    tried: str


class Standing(NamedTuple):
    """A chart or image in one version on some clusters of a ring ("" for none).

    `pinned` says whether the spec pins the version on all of them. `compatible` is the newest version that no source
    excludes there, and that `upgrade` can reach in one step. `support` is what its publisher no longer does for the
    version, None if nothing is known. `obstacles` are the conflicts of newer versions, `blocked`
    the change to the newest one without conflicts if it takes several steps, and `untested` the combinations with
    `compatible` that upstream has not tested. `missing` are newer versions that the catalog does not have.
    """

    ring: str
    clusters: tuple[str, ...]
    software: str
    version: str
    pinned: bool
    compatible: str
    newest: str
    obstacles: tuple[Conflict, ...] = ()
    untested: tuple[Conflict, ...] = ()
    blocked: Transition | None = None
    support: Support | None = None
    missing: tuple[Newer, ...] = ()

    @property
    def is_outdated(self) -> bool:
        """Whether there is a newer compatible version."""
        return self.version != self.compatible


def in_general(cluster: Cluster, software: str) -> Installation | None:  # noqa: ARG001
    """An installation that is not known: what a change requires in general."""
    return None


def side(inputs: Inputs, cluster: Cluster) -> Side:
    """The versions that a chart or image must be compatible with on a cluster."""
    return Side(cluster, installed_versions(inputs, cluster))


def installed_versions(inputs: Inputs, cluster: Cluster) -> dict[str, str]:
    """The versions of the software that gitgpu installs, of Kubernetes, and of the oldest NVIDIA driver, if known."""
    catalog = inputs.catalog_for(cluster)
    versions = {name: catalog.version(name) for name in installed_software(inputs, cluster)}
    oldest = oldest_driver(inputs, cluster)
    return {**versions, KUBERNETES: cluster.kubernetes, **({DRIVER: oldest.version} if oldest else {})}


def standings(inputs: Inputs, clusters: Sequence[Cluster], installed: Installed = in_general) -> list[Standing]:
    """The charts and images of these clusters, sorted by ring (in the order of the fleet), name and version.

    Clusters on which another upgrade is blocked, because the software is installed in another way, are apart.
    """
    groups: dict[_Group, list[Side]] = {}
    for cluster in clusters:
        cluster_side = side(inputs, cluster)
        for name, version in cluster_side.versions.items():
            if name not in (KUBERNETES, DRIVER):
                groups.setdefault(_Group(cluster.ring, name, version), []).append(cluster_side)
    order = {ring: index for index, ring in enumerate(inputs.fleet.rings)}
    ordered = sorted(groups, key=lambda group: (order.get(group.ring, len(order)), group))
    return [
        _standing(inputs, group, alike, installed)
        for group in ordered
        for alike in _alike(inputs, group, groups[group], installed)
    ]


def _alike(inputs: Inputs, group: _Group, sides: Sequence[Side], installed: Installed) -> Iterator[list[Side]]:
    """The clusters of a group by what blocks their upgrades."""
    versions = list(inputs.catalog.versions(group.software))
    newer = versions[versions.index(group.version) + 1 :] if group.version in versions else []
    by_blocked: dict[tuple[str, ...], list[Side]] = {}
    for cluster_side in sides:
        blocked_versions = tuple(
            new for new in newer if _is_blocked(inputs, group.software, new, cluster_side, installed)
        )
        by_blocked.setdefault(blocked_versions, []).append(cluster_side)
    yield from by_blocked.values()


def _change(inputs: Inputs, software: str, new: str, cluster_side: Side, installed: Installed) -> Transition:
    """What the change of a cluster to a version requires, as the software is installed there."""
    how = installed(cluster_side.cluster, software)
    return transition(software, (cluster_side.versions[software], new), inputs.catalog, how)


def _is_blocked(inputs: Inputs, software: str, new: str, cluster_side: Side, installed: Installed) -> bool:
    return _change(inputs, software, new, cluster_side, installed).verdict is Verdict.BLOCKED


def compatible(inputs: Inputs, software: str, sides: Sequence[Side]) -> tuple[str, tuple[Conflict, ...]]:
    """The newest version that no source excludes on any of these clusters, or ""; and the conflicts of newer ones."""
    obstacles: dict[Conflict, None] = {}
    for version in reversed(list(inputs.catalog.versions(software))):
        excluding = _excluding(inputs, software, version, sides)
        if not excluding:
            return version, tuple(obstacles)
        obstacles |= dict.fromkeys(excluding)
    return "", tuple(obstacles)


def reachable(inputs: Inputs, software: str, sides: Sequence[Side], installed: Installed = in_general) -> str:
    """The newest compatible version to which no record blocks the upgrade; "" if there is no newer one.

    It is the first of several steps if upstream supports, say, only upgrades to the next minor version.
    """
    versions = list(inputs.catalog.versions(software))
    order = {version: number for number, version in enumerate(versions)}
    known_cluster_sides = [cluster_side for cluster_side in sides if cluster_side.versions.get(software) in order]
    for version in reversed(versions):
        behind = [older for older in known_cluster_sides if order[older.versions[software]] < order[version]]
        fits = not _excluding(inputs, software, version, sides)
        if behind and fits and not any(_is_blocked(inputs, software, version, older, installed) for older in behind):
            return version
    return ""


def missing_versions(software: str, catalog: Catalog) -> tuple[Newer, ...]:
    """The newer versions of a chart or image that upstream names, but that the catalog does not have."""
    row = catalog.facts("containers", software) or catalog.facts("charts", software) or {}
    known = catalog.versions(software)
    return tuple(Newer(**newer) for newer in row.get("newer", ()) if newer["version"] not in known)


def _excluding(inputs: Inputs, software: str, version: str, sides: Sequence[Side]) -> list[Conflict]:
    return [conflict for conflict in _conflicts(inputs, software, version, sides) if conflict.excluded]


def _standing(inputs: Inputs, group: _Group, sides: Sequence[Side], installed: Installed) -> Standing:
    ring, software, version = group
    versions = list(inputs.catalog.versions(software))
    best, obstacles = compatible(inputs, software, sides)
    # A downgrade is not an improvement, and neither is a change from a version that the catalog does not have.
    if best not in versions or version not in versions or versions.index(best) < versions.index(version):
        best = version
    change = _change(inputs, software, best, sides[0], installed)  # the same for all: see `_alike`
    blocked = change if best != version and change.verdict is Verdict.BLOCKED else None
    if blocked:
        best = reachable(inputs, software, sides, installed) or version
    if blocked and best == version:  # the first version that is not reached says more than the newest
        blocked = _change(inputs, software, versions[versions.index(version) + 1], sides[0], installed)
    conflicts_of_best = _conflicts(inputs, software, best, sides) if best != version else ()
    untested = tuple(dict.fromkeys(conflict for conflict in conflicts_of_best if not conflict.excluded))
    names = tuple(cluster_side.cluster.name for cluster_side in sides)
    pinned = all(software in cluster_side.cluster.stack.versions for cluster_side in sides)
    newest = versions[-1] if versions else version
    state = support(software, version, inputs.catalog)
    missing = missing_versions(software, inputs.catalog)
    return Standing(ring, names, software, version, pinned, best, newest, obstacles, untested, blocked, state, missing)


def _conflicts(inputs: Inputs, software: str, version: str, sides: Iterable[Side]) -> Iterator[Conflict]:
    """The conflicts of a version on these clusters."""
    for cluster_side in sides:
        for conflict in conflicts({**cluster_side.versions, software: version}, inputs.catalog):
            if software in (conflict.software, conflict.other):
                yield conflict
        yield from operator_conflicts(inputs, cluster_side.cluster, software, version)
