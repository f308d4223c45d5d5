"""Versions that upstream excludes, or has not tested, with a cluster's Kubernetes version, driver or software."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.compatibility import contains
from gitgpu.model.software.drivers import oldest_driver
from gitgpu.model.software.outdated import DRIVER, KUBERNETES, installed_versions
from gitgpu.model.spec.origin import SpecPlace
from gitgpu.model.value_origins import cluster_with_place, pool_place, stack_with_place, with_place
from gitgpu.rules.fleet_rule import Finding
from gitgpu.rules.inputs.drivers import driver_place
from gitgpu.rules.inputs.pins import Pin, pins
from gitgpu.source import Span
from gitgpu.spelling import join_names

_MET = {KUBERNETES: "another Kubernetes version", DRIVER: "another driver"}
_VERBS = {"excluded": "does not work with", "untested": "is not tested with"}


class Conflict(NamedTuple):
    """A row of catalog/compatibility, and the software with which the pinned version conflicts."""

    row: Facts
    other: str


def conflicts(inputs: Inputs, verdict: str) -> Iterator[Finding]:
    """A finding for each pin and each row with this verdict, for all clusters that it applies to."""
    for pin in pins(inputs):
        by_reason: dict[str, tuple[Conflict, list[str]]] = {}
        for cluster in pin.clusters:
            for conflict in _conflicts(inputs, pin, cluster):
                if conflict.row["verdict"] == verdict:
                    _, places = by_reason.setdefault(conflict.row["why"], (conflict, []))
                    places.append(_with_place(inputs, conflict.other, cluster))
        for (row, other), clusters in by_reason.values():
            met = {KUBERNETES: "the Kubernetes version", DRIVER: "the GPU driver"}.get(other, other)
            what = f"{pin.software} {pin.version} {_VERBS[verdict]} {met} on {join_names(clusters)}"
            message = f"{what}: {row['why'].rstrip('.')}"
            yield Finding(pin.origin, pin.pointer, message, f"{_remedy(inputs, pin, row)} ({row['source']})")


def newest_excluded_by_drivers(inputs: Inputs) -> Iterator[Finding]:
    """A finding for each driver that excludes every version of software without a pin, for all its clusters.

    Other rules check which Kubernetes version such software needs.
    """
    excluded: dict[tuple[Span, str], tuple[Pin, Facts, list[str]]] = {}
    excluding = list(_excluded_by_drivers(inputs.catalog))
    for cluster in inputs.clusters:
        oldest = oldest_driver(inputs, cluster)
        if not oldest or not any(contains(entry["range"], oldest.version) for _, entry in excluding):
            continue  # most drivers are in no row; then the software of the cluster does not matter
        for pin, row in _driver_conflicts(inputs, cluster, oldest.pool):
            key = (pin.origin.span(pin.pointer), row["why"])
            excluded.setdefault(key, (pin, row, []))[2].append(cluster.name)
    for pin, row, clusters in excluded.values():
        what = f"{pin.software} {pin.version} {_VERBS['excluded']} this GPU driver on {join_names(clusters)}"
        message = f"{what}: {row['why'].rstrip('.')}"
        yield Finding(pin.origin, pin.pointer, message, f"{_remedy(inputs, pin, row)} ({row['source']})")


def _driver_conflicts(inputs: Inputs, cluster: Cluster, pool: Pool) -> Iterator[tuple[Pin, Facts]]:
    """The versions without a pin that the driver of a pool excludes, as pins at the place of the driver."""
    versions = installed_versions(inputs, cluster)
    # `conflicts` compares versions with a pin.
    for name, entry in _excluded_by_drivers(inputs.catalog):
        is_unpinned = name in versions and name not in cluster.stack.versions
        if is_unpinned and _is_there(entry, versions[name], versions):
            place = _driver_place(cluster, pool)
            yield Pin(name, versions[name], *place, (cluster,)), entry


def _excluded_by_drivers(catalog: Catalog) -> Iterator[tuple[str, Facts]]:
    """The rows of catalog/compatibility about software that does not work with certain drivers, by name."""
    rows = catalog.rows("compatibility")
    for name in sorted(rows):
        for entry in rows[name]["rows"]:
            if (entry["with"], entry["verdict"]) == (DRIVER, "excluded"):
                yield name, entry


def _known_versions(inputs: Inputs, cluster: Cluster) -> dict[str, str]:
    """The versions on a cluster, without pins that are not in the catalog."""
    installed = installed_versions(inputs, cluster).items()
    return {name: version for name, version in installed if inputs.knows_version(cluster, name)}


def _conflicts(inputs: Inputs, pin: Pin, cluster: Cluster) -> Iterator[Conflict]:
    """Rows about the pinned software, and rows of other software about it, if the cluster installs both."""
    versions = _known_versions(inputs, cluster)
    # VER002 reports an unknown version, and VER005 software that is not installed.
    if pin.software not in versions:
        return
    for name in versions:
        row = inputs.catalog.facts("compatibility", name)
        if not row:
            continue
        for entry in row["rows"]:
            if pin.software in (name, entry["with"]) and _is_there(entry, versions[name], versions):
                yield Conflict(entry, entry["with"] if name == pin.software else name)


def _is_there(entry: Facts, pinned: str, versions: Mapping[str, str]) -> bool:
    met = versions.get(entry["with"], "")
    return contains(entry["versions"], pinned) and contains(entry["range"], met)


def _with_place(inputs: Inputs, other: str, cluster: Cluster) -> str:
    """The cluster with the place of the version of the other software."""
    if other == DRIVER and (oldest := oldest_driver(inputs, cluster)):
        return _with_driver_place(cluster, oldest.pool)
    if other == KUBERNETES:
        return cluster_with_place(cluster, "kubernetesVersion")
    return stack_with_place(cluster, "versions", other)


def _with_driver_place(cluster: Cluster, pool: Pool) -> str:
    """The cluster with the place of the driver branch, or of the setting that says who installs the driver."""
    return with_place(cluster.name, *_driver_place(cluster, pool))


def _driver_place(cluster: Cluster, pool: Pool) -> SpecPlace:
    return pool_place(pool, "driverBranch") if pool.branch else driver_place(cluster, pool)


def _remedy(inputs: Inputs, pin: Pin, row: Facts) -> str:
    fitting_names = [name for name in inputs.catalog.versions(pin.software) if _fits(inputs, pin, name)]
    other = _MET.get(row["with"], "another version of the other software")
    return f"use {' or '.join(fitting_names)}, or use {other}" if fitting_names else f"use {other}"


def _fits(inputs: Inputs, pin: Pin, name: str) -> bool:
    """Whether no row is about this version of the software on the clusters of the pin."""
    for cluster in pin.clusters:
        versions = {**cluster.stack.versions, pin.software: name}
        pinned = cluster._replace(stack=cluster.stack._replace(versions=versions))
        if any(True for _ in _conflicts(inputs, pin, pinned)):
            return False
    return True
