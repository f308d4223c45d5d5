"""A setting of the DCGM exporter on a cluster without one."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import SpecPlace
from gitgpu.model.value_origins import is_written, shared_stacks
from gitgpu.rules.fleet_rule import Finding, Rule

# for each setting: the drivers with which an exporter uses it, and why it has no effect otherwise
READERS = {
    "counters": (("aks", "operator"), "neither gitgpu nor the GPU Operator runs a DCGM exporter"),
    "probes": (("aks",), "gitgpu runs no DCGM exporter, and the GPU Operator sets the probes of its exporter"),
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Settings on clusters without an exporter, and in the Fleet if no cluster that they apply to has one."""
    for key, (drivers, why) in READERS.items():
        without = [cluster for cluster in inputs.clusters if not _measured(inputs, cluster, drivers)]
        places = [SpecPlace(cluster.origin, ("spec", "stack", "metrics", key)) for cluster in without]
        names = {cluster.name for cluster in without}
        for layer, clusters in shared_stacks(inputs):
            if names.issuperset(cluster.name for cluster in clusters):
                places.append(SpecPlace(layer.origin, (*layer.at, "stack", "metrics", key)))
        for origin, where in places:
            if is_written(origin, where):
                off = any(_has_exporter(inputs, cluster, drivers) for cluster in without)
                remedy = f"remove {key}, or set exporter: true" if off else f"remove {key}"
                yield Finding(origin, where, f"{key} has no effect: {why}", remedy)


def _measured(inputs: Inputs, cluster: Cluster, drivers: tuple[str, ...]) -> bool:
    """Whether an exporter that uses the setting runs on the cluster."""
    return cluster.stack.metrics.exporter and _has_exporter(inputs, cluster, drivers)


def _has_exporter(inputs: Inputs, cluster: Cluster, drivers: tuple[str, ...]) -> bool:
    """Whether the pools of the cluster have such an exporter, unless it is turned off. Without pools, they may."""
    pools = inputs.pools_on(cluster)
    return not pools or any(_by_dcgm(cluster, pool, drivers) for pool in pools)


def _by_dcgm(cluster: Cluster, pool: Pool, drivers: tuple[str, ...]) -> bool:
    return driver_on(cluster, pool) in drivers and not pool.windows and pool.manufacturer == "nvidia"


RULE = Rule(
    code="MET062",
    name="exporter-setting-without-exporter",
    severity=Severity.WARNING,
    summary="stack.metrics has counters or probes for the DCGM exporter, and no exporter uses them.",
    help="counters sets the list of fields of the exporter, and probes sets the delays of its probes. With exporter: "
    "false neither gitgpu nor the GPU Operator runs an exporter. They run none on Windows nodes, on AMD GPUs, or "
    "where AKS or another party installs the software either; an exporter there has its own list. The GPU Operator "
    "sets the probes of its exporter itself.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
    ),
    check=_check,
)
