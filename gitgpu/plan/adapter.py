"""Prometheus Adapter: the metrics of pods that HorizontalPodAutoscalers on a cluster need, and how it asks for them."""

from collections.abc import Iterable, Mapping

from gitgpu.model.catalog import Catalog
from gitgpu.model.stack import Stack
from gitgpu.plan.chart import Adapter, AdapterRule
from gitgpu.plan.decision import WorkloadPlan
from gitgpu.plan.software import chart

NAME = "prometheus-adapter"
PODS = '{namespace!="",pod!=""}'  # the labels that the scrape keeps (honorLabels) name the pods that use the GPUs
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


def adapter(workloads: Iterable[WorkloadPlan], stack: Stack, catalog: Catalog) -> Adapter | None:
    """The adapter with the metrics that workloads scale on; None when nobody needs it or somebody else brings it."""
    scaled = (one.workload.scaling for one in workloads)
    wanted = sorted({signal.metric for one in scaled if one and one.engine == "hpa" for signal in one.signals})
    if not wanted or stack.adapter != "helm":
        return None
    return Adapter(chart(NAME, catalog), stack.metrics.server or "", tuple(RULES[metric] for metric in wanted))
