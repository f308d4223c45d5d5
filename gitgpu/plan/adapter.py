"""Prometheus Adapter: the metrics of pods that HorizontalPodAutoscalers on a cluster need, and how it queries them."""

from collections.abc import Iterable, Iterator, Mapping

from gitgpu.model.catalog import Catalog
from gitgpu.model.spec.stack import Stack
from gitgpu.plan.chart import chart
from gitgpu.plan.decided.charts import Adapter, AdapterRule
from gitgpu.plan.decided.cluster import WorkloadPlan

NAME = "prometheus-adapter"
PODS = '{namespace!="",pod!=""}'  # the labels that the scrape keeps (honorLabels) name the pods that use the GPUs
# The adapter's own template, in which it replaces the matchers and labels of a request.
OF = "{<<.LabelMatchers>>}) by (<<.GroupBy>>)"
RULES: Mapping[str, AdapterRule] = {
    "gpu-utilization": AdapterRule(f"DCGM_FI_DEV_GPU_UTIL{PODS}", "gpu_utilization", f"avg(DCGM_FI_DEV_GPU_UTIL{OF}"),
    "gpu-memory": AdapterRule(
        f"DCGM_FI_DEV_FB_USED{PODS}",
        "gpu_memory",
        f"100 * sum(DCGM_FI_DEV_FB_USED{OF} / (sum(DCGM_FI_DEV_FB_USED{OF} + sum(DCGM_FI_DEV_FB_FREE{OF})",
    ),
    "tensor-activity": AdapterRule(
        f"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE{PODS}", "tensor_activity", f"100 * avg(DCGM_FI_PROF_PIPE_TENSOR_ACTIVE{OF}"
    ),
}
OF_AMD = {
    "gpu-utilization": AdapterRule(f"gpu_gfx_activity{PODS}", "amd_gpu_utilization", f"avg(gpu_gfx_activity{OF}"),
    "gpu-memory": AdapterRule(
        f"gpu_used_vram{PODS}", "amd_gpu_memory", f"100 * sum(gpu_used_vram{OF} / sum(gpu_total_vram{OF}"
    ),
}


def rule(metric: str, manufacturer: str) -> AdapterRule:
    """How the adapter computes a metric of pods on GPUs of a manufacturer, with a name for that manufacturer."""
    return OF_AMD.get(metric, RULES[metric]) if manufacturer == "amd" else RULES[metric]


def adapter(workloads: Iterable[WorkloadPlan], stack: Stack, catalog: Catalog) -> Adapter | None:
    """The adapter with the metrics that workloads scale on; None if no workload needs it or the stack has none."""
    wanted = {entry.name: entry for entry in _rules(workloads)}
    if not wanted or stack.adapter != "helm":
        return None
    rules = tuple(wanted[name] for name in sorted(wanted))
    return Adapter(chart(NAME, catalog), stack.metrics.server or "", rules)


def _rules(workloads: Iterable[WorkloadPlan]) -> Iterator[AdapterRule]:
    """The rules for the metrics of HorizontalPodAutoscalers, repeated if several workloads need them."""
    for workload in workloads:
        scaling = workload.workload.scaling
        if scaling and scaling.engine == "hpa":
            for signal in scaling.signals:
                yield rule(signal.metric, workload.manufacturer)
