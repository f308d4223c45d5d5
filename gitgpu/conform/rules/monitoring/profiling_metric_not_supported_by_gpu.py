"""Profiling metrics of GPUs that do not support profiling."""

from collections.abc import Iterator, Sequence

from gitgpu.conform.monitoring.queries import Query, queries
from gitgpu.conform.node.gpu_pools import gpu_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.profiling import PROFILING


def _check(objects: Objects) -> Iterator[Finding]:
    profiling = [(query, _profiling_metric(query)) for query in queries(objects)]
    asking = [(query, metric) for query, metric in profiling if metric]
    names = _without_profiling(objects) if asking else ()
    if not names:
        return
    for query, metric in asking:
        message = f"no GPU pool has GPUs that support {metric}; their GPUs are: {', '.join(names)}"
        remedy = "use a DCGM_FI_DEV_ field, such as DCGM_FI_DEV_GPU_UTIL"
        yield Finding(query.item, query.pointer, message, remedy)


def _without_profiling(objects: Objects) -> Sequence[str]:
    """The GPUs of all GPU pools, if none of them supports profiling metrics; () if one may."""
    names: set[str] = set()
    for pool in gpu_pools(objects):
        for sku in pool.skus:
            if sku.gpu is None or sku.gpu.profiling is not False:  # null is unknown
                return ()
            names.add(sku.gpu.name)
        if not pool.skus:  # its sizes are unknown
            return ()
    return sorted(names)


def _profiling_metric(query: Query) -> str:
    return next((selector.metric for selector in query.of_dcgm if selector.metric.startswith(PROFILING)), "")


RULE = Rule(
    code="MON009",
    name="profiling-metric-not-supported-by-gpu",
    severity=Severity.WARNING,
    summary="A query uses a DCGM_FI_PROF_ metric, but no GPU pool has GPUs that support DCGM profiling.",
    help="The profiling module supports NVIDIA data centre GPUs since Volta. On others the exporter skips its fields.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
        "https://docs.nvidia.com/datacenter/dcgm/latest/user-guide/feature-overview.html",
    ),
    check=_check,
    bad="""
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: mi300x}
spec: {gpu: {mode: None}}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: mi300x}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: mi300x}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_ND96isr_MI300X_v5]}]
---
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: {name: gpu, namespace: monitoring}
spec:
  groups:
  - name: gpu
    rules: [{alert: GpuIdle, expr: "avg by (Hostname) (DCGM_FI_PROF_GR_ENGINE_ACTIVE) < 0.05", for: 1h}]
""",
    good="""
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: {name: gpu, namespace: monitoring}
spec:
  groups:
  - name: gpu
    rules: [{alert: GpuIdle, expr: "avg by (Hostname) (DCGM_FI_PROF_GR_ENGINE_ACTIVE) < 0.05", for: 1h}]
""",
)
