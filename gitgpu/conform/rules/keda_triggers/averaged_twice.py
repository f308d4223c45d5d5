"""An average that is divided by the number of replicas."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.queries import asked
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

_ALIKE = ("avg", "max", "min", "quantile")  # aggregations that do not grow with the number of pods


def _check(objects: Objects) -> Iterator[Finding]:
    for query in asked(objects):
        part = query.parts
        trigger = query.trigger
        if trigger is None or part is None or part.name not in _ALIKE or trigger.item.identity.kind != "ScaledObject":
            continue
        if (trigger.body.get("metricType") or "AverageValue") == "AverageValue" and query.of_dcgm:
            message = f"{part.name}(...) is also divided by the number of replicas, because metricType is AverageValue"
            place = (*trigger.pointer, "metricType") if trigger.body.get("metricType") else query.pointer
            yield Finding(
                query.item, place, message, f"write metricType: Value, or sum(...) in place of {part.name}(...)"
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
    bad="""
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
""",
    good="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  minReplicaCount: 1
  triggers:
  - type: prometheus
    metricType: Value
    metadata:
      serverAddress: http://prometheus.monitoring:9090
      query: avg(DCGM_FI_DEV_GPU_UTIL{namespace="serving", pod=~"chat-.*"})
      threshold: "70"
""",
)
