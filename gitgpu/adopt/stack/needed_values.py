"""Values that a running release does not set, and that it gets from gitgpu all the same, because it needs them."""

from gitgpu.access import reach
from gitgpu.adopt.adoption import RunningChart
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.node_images import family, release
from gitgpu.model.syntax.version import NUMBERS, version
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.source import Pointer

_TOOLKIT: Pointer = ("toolkit", "env")


def needed_values(running: RunningChart, plan: ClusterPlan, catalog: Catalog) -> tuple[Pointer, ...]:
    """The paths of these values; () for the whole release of a chart that serves workloads."""
    if running.chart in ("keda", "prometheus-adapter"):
        return ((),)  # their values follow the triggers and metrics of workloads
    if running.chart == "gpu-operator" and _stops_containerd(running, plan, catalog):
        return (_TOOLKIT,)
    return ()


def _stops_containerd(running: RunningChart, plan: ClusterPlan, catalog: Catalog) -> bool:
    """Whether the toolkit of an operator stops containerd on the newest image of a pool (lint: DRV082)."""
    facts = catalog.must("runtimes", "containerd")
    written = str(reach(running.values, "toolkit", "version") or "")
    if NUMBERS.match(written) and version(written) < version(facts["toolkit"]["version"]):
        return False
    for planned in plan.pools:
        image = release(planned.pool, plan.cluster.kubernetes, catalog)
        row = catalog.facts("images", family(planned.pool, catalog)) or {}
        for entry in row.get("containerd", ()):
            newer = version(entry["version"]) >= version(facts["refusesNewerDropIns"])
            if newer and (image is None or image["os"] == entry["os"]):
                return True
    return False
