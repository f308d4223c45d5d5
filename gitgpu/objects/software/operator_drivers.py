"""GPU Operators that install the driver themselves: with which settings, on which pools."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.model.names.kinds import CLUSTER_POLICY
from gitgpu.model.software.node_images import within
from gitgpu.objects.gitops.chart_values import chart_row, effective_value, operators
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.coverage import reaches
from gitgpu.objects.software.daemons import daemons


class OperatorDriver(NamedTuple):
    """A GPU Operator and the NVIDIA pools that get its driver.

    With `by_objects`, it leaves the driver to NVIDIADrivers.
    """

    release: Release
    pools: tuple[GpuPool, ...]
    by_objects: bool


def operator_drivers(objects: Objects) -> Iterator[OperatorDriver]:
    """Every GPU Operator that installs a driver on pools without a driver from AKS."""
    for release in operators(objects):
        daemon = next((daemon for daemon in daemons(objects, "driver") if daemon.item is release.item), None)
        if daemon is None:
            continue
        pools = (pool for pool in gpu_pools(objects) if pool.maker == "nvidia" and pool.mode == "None")
        reached_pools = tuple(pool for pool in pools if reaches(daemon, pool, objects))
        if reached_pools:
            yield OperatorDriver(release, reached_pools, by_objects(release, objects))


def by_objects(release: Release, objects: Objects) -> bool:
    """Whether the operator leaves the driver to NVIDIADrivers."""
    return bool(effective_value(release, objects, *driver_objects_path(release)))


def driver_objects_path(release: Release) -> tuple[str, ...]:
    """The path of the value that leaves the driver to NVIDIADrivers, which is another one in a ClusterPolicy."""
    is_policy = release.item.identity.kind == CLUSTER_POLICY.kind
    return ("driver", "useNvidiaDriverCRD") if is_policy else ("driver", "nvidiaDriverCRD", "enabled")


def driver_version(release: Release, objects: Objects) -> str:
    """The driver that a release installs; "" if the default of its chart version is unknown."""
    written = release.value("driver", "version")
    if written:
        return str(written)
    catalogued = str(chart_row(release, objects)["version"])
    is_catalogued = release.version.removeprefix("v") == catalogued.removeprefix("v")  # Helm ignores a leading v
    return str(effective_value(release, objects, "driver", "version")) if is_catalogued else ""


def operating_system(pool: GpuPool, objects: Objects) -> str:
    """The operating system of a pool's nodes; "" if unknown."""
    family = str(pool.spec.get("imageFamily") or "Ubuntu")
    facts = objects.catalog.facts("images", family) if objects.kubernetes else None
    if facts is None:
        return ""
    names = (version["os"] for version in facts["versions"] if within(objects.kubernetes, version["kubernetes"]))
    return str(next(names, ""))
