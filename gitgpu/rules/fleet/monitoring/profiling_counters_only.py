"""A list of profiling counters only, which the GPUs of a pool are not known to have."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.profiling import PROFILING, is_profiled
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose list leaves a pool without metrics."""
    for cluster in inputs.clusters:
        metrics = cluster.stack.metrics
        by_name = metrics.counters if isinstance(metrics.counters, tuple) and metrics.exporter else ()
        # The preset profiling includes the standard counters, which every GPU has.
        if by_name and all(field.startswith(PROFILING) for field in by_name) and (pools := _without(inputs, cluster)):
            origin, where = stack_place(cluster, "metrics", "counters")
            places = f"in pool {join_names(pools)} on {cluster.name}"
            message = f"these profiling counters are not known to work {places}: nothing is exported there"
            yield Finding(origin, where, message, "add a counter that every GPU has, such as DCGM_FI_DEV_GPU_UTIL")


def _without(inputs: Inputs, cluster: Cluster) -> list[str]:
    """The pools with a gitgpu exporter whose GPUs are not known to have profiling counters."""
    without = []
    for pool in inputs.pools_on(cluster):
        driver = driver_on(cluster, pool)
        exports = pool.manufacturer == "nvidia" and driver in ("aks", "operator")
        if exports and not all(is_profiled(sku, driver, inputs.catalog) for sku in pool.skus):
            without.append(pool.name)
    return without


RULE = Rule(
    code="MET002",
    name="profiling-counters-only",
    severity=Severity.WARNING,
    summary="stack.metrics.counters has only profiling counters, which are not known to work in a pool.",
    help="gitgpu omits counters that a GPU does not support, and does not install an exporter that would export "
    "nothing. Profiling counters are known to work on data-centre GPUs since Volta. There is no evidence that they "
    "work with the GRID driver of AKS.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/issues/5",
        "https://docs.nvidia.com/datacenter/dcgm/latest/reference/command-line-reference/dcgmi/dcgmi-profile.html",
    ),
    facts=("drivers/grid",),
    check=_check,
)
