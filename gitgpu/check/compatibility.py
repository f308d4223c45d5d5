"""Pinned versions that upstream excludes, or has not tested, with the Kubernetes version or software of a cluster."""

from collections.abc import Iterator, Mapping

from gitgpu.check.drivers import driver_place
from gitgpu.check.names import join_names
from gitgpu.check.pins import Pin, pins
from gitgpu.check.rule import Finding
from gitgpu.check.value_origins import cluster_with_place, pool_place, stack_with_place, with_place
from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.drivers import oldest_driver
from gitgpu.model.software.outdated import DRIVER, KUBERNETES, installed_versions
from gitgpu.model.syntax.version import NUMBERS, inside

_MET = {KUBERNETES: "another Kubernetes version", DRIVER: "another driver"}
_VERBS = {"excluded": "does not work with", "untested": "is not tested with"}
Conflict = tuple[Facts, str]  # a row of catalog/compatibility, and what the pinned version meets


def conflicts(inputs: Inputs, verdict: str) -> Iterator[Finding]:
    """A finding for each pin and each entry with the verdict, on all clusters that it is true of."""
    for pin in pins(inputs):
        found: dict[str, tuple[Conflict, list[str]]] = {}
        for cluster in pin.clusters:
            for conflict in _conflicts(inputs, pin, cluster):
                if conflict[0]["verdict"] == verdict:
                    where = _with_place(inputs, conflict, cluster)
                    found.setdefault(conflict[0]["why"], (conflict, []))[1].append(where)
        for (row, other), clusters in found.values():
            met = {KUBERNETES: "Kubernetes", DRIVER: "the GPU driver"}.get(other, other)
            what = f"{pin.software} {pin.version} {_VERBS[verdict]} {met} on {join_names(clusters)}"
            message = f"{what}: {row['why'].rstrip('.')}"
            yield Finding(pin.origin, pin.pointer, message, f"{_remedy(inputs, pin, row)} ({row['source']})")


def _conflicts(inputs: Inputs, pin: Pin, cluster: Cluster) -> Iterator[Conflict]:
    """Entries about the pinned software, and those of other software about it, if the cluster installs both."""
    versions = installed_versions(inputs, cluster)
    if pin.software not in versions:
        return
    for name in versions:
        row = inputs.catalog.facts("compatibility", name)
        for entry in row["rows"] if row else ():
            if pin.software in (name, entry["with"]) and _is_there(entry, versions[name], versions):
                yield entry, entry["with"] if name == pin.software else name


def _is_there(entry: Facts, pinned: str, versions: Mapping[str, str]) -> bool:
    met = versions.get(entry["with"], "")
    return _inside(pinned, entry["versions"]) and _inside(met, entry["range"])


def _inside(text: str, bounds: str) -> bool:
    """Is it inside? A version that is not numbers, such as the tag doca3.4.1-26.04, is not compared."""
    numbers = NUMBERS.match(text)
    return numbers is not None and inside(numbers[1], bounds)


def _with_place(inputs: Inputs, conflict: Conflict, cluster: Cluster) -> str:
    _, other = conflict
    if other == DRIVER and (found := oldest_driver(inputs, cluster)):
        return _with_driver_place(inputs, cluster, found[1])
    if other == KUBERNETES:
        return cluster_with_place(cluster, "kubernetesVersion")
    return stack_with_place(inputs, cluster, "versions", other)


def _with_driver_place(inputs: Inputs, cluster: Cluster, pool: Pool) -> str:
    """The cluster with the place of the driver branch, or of who installs the driver."""
    if pool.branch:
        return with_place(cluster.name, *pool_place(inputs, pool, "driverBranch"))
    return with_place(cluster.name, *driver_place(inputs, cluster, pool))


def _remedy(inputs: Inputs, pin: Pin, row: Facts) -> str:
    known = [name for name in inputs.catalog.versions(pin.software) if _fits(inputs, pin, name)]
    other = _MET.get(row["with"], "another version of the other software")
    return f"write {' or '.join(known)}, or use {other}" if known else f"use {other}"


def _fits(inputs: Inputs, pin: Pin, name: str) -> bool:
    """Is the version in no entry on the clusters of the pin?"""
    pins_there = (
        cluster._replace(stack=cluster.stack._replace(versions={**cluster.stack.versions, pin.software: name}))
        for cluster in pin.clusters
    )
    return not any(next(_conflicts(inputs, pin, cluster), None) for cluster in pins_there)
