"""Settings of the DCGM exporter are for clusters that have one."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import is_written
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs, driver_on
from gitgpu.model.origin import Origin
from gitgpu.source import Pointer

# who reads a setting: the drivers beside which one of them runs, and in words
READERS = {
    "counters": (("aks", "operator"), "no DCGM exporter of gitgpu's or of the GPU Operator runs"),
    "probes": (("aks",), "no DCGM exporter of gitgpu's runs, and the GPU Operator's has probes of its own"),
}
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: {metrics: {exporter: false, counters: standard}}
"""
GOOD = BAD.replace("exporter: false, ", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Settings on clusters without an exporter, and the Fleet's where no cluster has one."""
    for key, (drivers, why) in READERS.items():
        without = [one for one in inputs.clusters if not _measured(inputs, one, drivers)]
        places: list[tuple[Origin, Pointer]] = [(one.origin, ("spec", "stack", "metrics", key)) for one in without]
        if without and len(without) == len(inputs.clusters):
            places.append((inputs.fleet.origin, ("spec", "defaults", "stack", "metrics", key)))
        for origin, where in (one for one in places if is_written(*one)):
            remedy = "remove it, or write exporter: true where there is none"
            yield Finding(origin, where, f"nobody reads {key}: {why}", remedy)


def _measured(inputs: Inputs, cluster: Cluster, drivers: tuple[str, ...]) -> bool:
    pools = inputs.pools_on(cluster)
    there = not pools or any(_by_dcgm(cluster, one, drivers) for one in pools)
    return cluster.stack.metrics.exporter and there


def _by_dcgm(cluster: Cluster, pool: Pool, drivers: tuple[str, ...]) -> bool:
    return driver_on(cluster, pool) in drivers and not pool.windows and pool.manufacturer == "nvidia"


RULE = Rule(
    code="MET062",
    name="setting-of-no-exporter",
    severity=Severity.WARNING,
    summary="stack.metrics says what the DCGM exporter measures or how it is probed, and there is none.",
    help="counters and probes become the exporter's list of fields and the delays of its probes. With exporter: false "
    "neither gitgpu nor the GPU Operator runs one, nor do they on Windows nodes, on AMD GPUs, or where AKS or somebody "
    "else brings the software: what runs there has a list of its own. The GPU Operator sets the probes of its exporter "
    "itself.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
