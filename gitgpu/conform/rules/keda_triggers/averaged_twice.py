"""An average that is divided by the number of replicas."""

from collections.abc import Iterator

from gitgpu.conform.monitoring.queries import trigger_queries
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.gpu_averages import around_gpu_metrics

BAD = """
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  minReplicaCount: 1
  triggers:
  - type: prometheus
    metadata:
      serverAddress: http://prometheus.monitoring:9090
      query: avg(DCGM_FI_DEV_GPU_UTIL{namespace="serving", pod=~"chat-.*"})
      threshold: "70"
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for query in trigger_queries(objects):
        whole, trigger = query.parts, query.trigger
        # A ScaledJob always uses AverageValue to get the number of Jobs (KED007).
        if trigger is None or whole is None or trigger.item.identity.kind != "ScaledObject":
            continue
        is_divided = (trigger.body.get("metricType") or "AverageValue") == "AverageValue"  # KEDA's default
        if is_divided and around_gpu_metrics(whole, objects.catalog):
            message = f"{whole.name}(...) is also divided by the number of replicas, because metricType is AverageValue"
            place = (*trigger.pointer, "metricType") if trigger.body.get("metricType") else query.pointer
            yield Finding(
                query.item, place, message, f"set metricType: Value, or sum(...) instead of {whole.name}(...)"
            )


RULE = Rule(
    code="KED020",
    name="averaged-twice",
    severity=Severity.WARNING,
    summary="A trigger averages GPU metrics in its query and keeps metricType AverageValue.",
    help="AverageValue, the default, divides the result by the number of replicas before it is compared with the "
    "threshold. Two replicas at 90% then look like 45%, and ten like 9%.",
    sources=(
        "https://keda.sh/docs/2.18/reference/scaledobject-spec/",
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("  - type: prometheus\n", "  - type: prometheus\n    metricType: Value\n"),
    variants=(BAD.replace("DCGM_FI_DEV_GPU_UTIL", "gpu_gfx_activity"),),
)
