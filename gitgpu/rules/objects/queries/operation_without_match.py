"""An operation whose two sides never have the same labels."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.matching import unmatched
from gitgpu.objects.monitoring.queries import queries
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

BAD = """
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: {name: gpu, namespace: monitoring}
spec:
  groups:
  - name: gpu
    rules: [{alert: GpuBusier, expr: "DCGM_FI_DEV_GPU_UTIL > avg(DCGM_FI_DEV_GPU_UTIL)"}]
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for query in queries(objects):
        for operator in dict.fromkeys(unmatched(query.parts)):
            message = f"'{operator}' never returns anything: only one of its sides has the label gpu"
            remedy = (
                "add on(...) with the labels that both sides have, and group_left or group_right; or use scalar(...)"
            )
            yield Finding(query.item, query.pointer, message, remedy)


RULE = Rule(
    code="MON093",
    name="operation-without-match",
    twin="SCL074",
    severity=Severity.WARNING,
    summary="An operation in a query combines series of GPUs with series without the label gpu, and has no on().",
    help="Prometheus combines only series whose labels are all equal, unless on() or ignoring() names the labels to "
    "compare. The series of a GPU have the label gpu; an aggregation without it, and metrics of Kubernetes and of "
    "nodes, do not. The result is always empty: an alert never fires, and KEDA reads 0.",
    sources=(
        "https://github.com/prometheus/prometheus/blob/2d9efc5a8a8c419248233e6223f9c526add0908d/docs/querying/operators.md",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/rendermetrics/render_metrics.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("avg(DCGM_FI_DEV_GPU_UTIL)", "scalar(avg(DCGM_FI_DEV_GPU_UTIL))"),
    variants=(
        BAD.replace("> avg(DCGM_FI_DEV_GPU_UTIL)", '< 5 and kube_pod_status_phase{phase=\\"Running\\"} == 1'),
        BAD.replace(
            "DCGM_FI_DEV_GPU_UTIL > avg(DCGM_FI_DEV_GPU_UTIL)",
            "sum by (gpu) (DCGM_FI_DEV_FB_USED) / sum by (Hostname) (DCGM_FI_DEV_FB_FREE) > 0.9",
        ),
    ),
    near_misses=(
        BAD.replace("> avg(DCGM_FI_DEV_GPU_UTIL)", "> on(job) group_left avg by (job) (DCGM_FI_DEV_GPU_UTIL)"),
        BAD.replace("> avg(DCGM_FI_DEV_GPU_UTIL)", "> 5 * 10 and DCGM_FI_DEV_FB_USED > 0"),
        # What the metric has for labels is unknown.
        BAD.replace("avg(DCGM_FI_DEV_GPU_UTIL)", "contoso_gpu_threshold"),
        BAD.replace("> avg(DCGM_FI_DEV_GPU_UTIL)", "or vector(0)"),
    ),
)
