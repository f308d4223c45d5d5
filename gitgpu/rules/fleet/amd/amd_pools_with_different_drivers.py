"""All AMD pools of a cluster get their software from one source."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.drivers import place

CLUSTERS = ("spec", "clusters")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """AMD pools with driver: none on clusters where AMD's operator serves other pools."""
    for cluster in inputs.clusters:
        pools = [pool for pool in inputs.pools_on(cluster) if pool.manufacturer == "amd"]
        served_pools = [pool for pool in pools if driver_on(cluster, pool) == "operator"]
        if not served_pools:
            continue
        for pool in pools:
            # With "aks" or "managed" the GPUs get an NVIDIA driver, which DRV001 reports.
            if driver_on(cluster, pool) == "none":
                first = f"pool {served_pools[0].name} ({served_pools[0].origin.span(place(served_pools[0], CLUSTERS))})"
                message = (
                    f"the AMD GPU Operator on {cluster.name}, installed for {first}, runs on every node with AMD GPUs"
                )
                remedy = "set the same driver on all AMD pools of the cluster"
                yield Finding(pool.origin, place(pool, CLUSTERS), message, remedy)


RULE = Rule(
    code="AMD002",
    name="amd-pools-with-different-drivers",
    severity=Severity.ERROR,
    summary="A cluster has AMD pools with driver: operator and AMD pools with driver: none.",
    help="The AMD GPU Operator selects nodes by the label for AMD GPUs, not by pool. On nodes where you install the "
    "software yourself, its device plugin would be a second one, and each GPU would be allocated twice.",
    sources=(
        "https://github.com/ROCm/gpu-operator/blob/858cf255c7dd27cebf1cc5db400eee3aa06ecbbc/docs/usage.rst",
        "https://github.com/ROCm/gpu-operator/blob/858cf255c7dd27cebf1cc5db400eee3aa06ecbbc/internal/plugin/plugin.go",
    ),
    check=_check,
)
