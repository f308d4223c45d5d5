"""A pool with MIG on a cluster without profiling counters, the only ones for the use of MIG instances."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.profiling import PROFILING
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import group_clusters
from gitgpu.rules.inputs.mig import MIG, mig_pools
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with MIG on clusters whose exporters leave the profiling counters out."""
    for pool, _, clusters in mig_pools(inputs):
        names = group_clusters(clusters, _without_profiling).get(True)
        if names:
            message = f"the utilization of MIG instances is not measured on {join_names(names)}"
            remedy = "set stack.metrics.counters: profiling on the cluster"
            yield Finding(pool.origin, MIG, message, remedy)


def _without_profiling(cluster: Cluster) -> bool:
    """Whether the cluster's exporter omits every profiling counter."""
    metrics = cluster.stack.metrics
    by_name = metrics.counters if isinstance(metrics.counters, tuple) else ()
    profiling = metrics.counters == "profiling" or any(field.startswith(PROFILING) for field in by_name)
    return metrics.exporter and not profiling


RULE = Rule(
    code="PRT011",
    name="mig-without-profiling-counters",
    severity=Severity.WARNING,
    summary="A pool has MIG instances, but the exporters of the cluster omit the only counters that measure them.",
    help="DCGM has no DCGM_FI_DEV_GPU_UTIL for a GPU in MIG mode. DCGM_FI_PROF_GR_ENGINE_ACTIVE gives the utilization "
    "of each instance, from 0 to 1.",
    sources=("https://github.com/NVIDIA/dcgm-exporter/issues/430",),
    check=_check,
)
