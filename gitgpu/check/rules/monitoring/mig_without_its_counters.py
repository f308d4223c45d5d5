"""What MIG instances do shows in the profiling counters alone."""

from collections.abc import Iterator

from gitgpu.check.clusters import grouped
from gitgpu.check.mig import MIG, cut_pools
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.profiling import PROFILING

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {metrics: {counters: standard}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC24ads_A100_v4
  driver: operator
  image: {family: Ubuntu2204}
  limits: {gpus: 8}
  partition: {mig: {profiles: {7g.80gb: 1}}}
"""
GOOD = BAD.replace("counters: standard", "counters: profiling")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with MIG on clusters whose exporters leave the profiling counters out."""
    for pool, _, clusters in cut_pools(inputs):
        names = grouped(clusters, _blind).get(True)
        if names:
            message = f"how busy the instances are is measured nowhere on {join_names(names)}"
            remedy = "write stack.metrics.counters: profiling on the cluster"
            yield Finding(pool.origin, MIG, message, remedy)


def _blind(cluster: Cluster) -> bool:
    metrics = cluster.stack.metrics
    by_name = metrics.counters if isinstance(metrics.counters, tuple) else ()
    told = metrics.counters == "profiling" or any(field.startswith(PROFILING) for field in by_name)
    return metrics.exporter and not told


RULE = Rule(
    code="PRT011",
    name="mig-without-its-counters",
    severity=Severity.WARNING,
    summary="A pool has MIG instances, and the cluster's exporters leave out the only counters of their use.",
    help="DCGM has no DCGM_FI_DEV_GPU_UTIL for a GPU that is cut by MIG. DCGM_FI_PROF_GR_ENGINE_ACTIVE says for each "
    "instance how busy it is, from 0 to 1.",
    sources=("https://github.com/NVIDIA/dcgm-exporter/issues/430",),
    check=check,
    bad=BAD,
    good=GOOD,
)
