"""A percentage compared with a threshold that is written as a ratio."""

from collections.abc import Iterator

from gitgpu.conform.monitoring.queries import asked
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.gpu_units import measured


def _check(objects: Objects) -> Iterator[Finding]:
    fields = objects.catalog.must("dcgm", "fields")["percentages"]
    for query in asked(objects):
        limit = _number(query.trigger.metadata.get("threshold")) if query.trigger else 0
        name = measured(query.parts, fields, sums=True) if 0 < limit < 1 else ""
        if query.trigger and name:
            message = f"{name} runs from 0 to 100, and the threshold {limit:g} is less than 1 %"
            remedy = f'write the threshold in percent: "{limit * 100:g}"'
            yield Finding(query.item, query.trigger.place("threshold"), message, remedy)


def _number(written: str | None) -> float:
    try:
        return float(written or "")
    except ValueError:
        return 0


RULE = Rule(
    code="MON025",
    name="percentage-as-ratio",
    severity=Severity.WARNING,
    summary="A utilization of DCGM, which runs from 0 to 100, has a threshold below 1 as if it were a ratio.",
    help="DCGM_FI_DEV_GPU_UTIL and its like are percentages; the DCGM_FI_PROF_ fields are ratios. With a threshold of "
    "0.7 the workload grows to its most replicas as soon as a GPU works at all. Alerts are not reported: 'below 0.5' "
    "may well mean an idle GPU.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
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
    metricType: Value
    metadata:
      serverAddress: http://prometheus.monitoring:9090
      query: avg(DCGM_FI_DEV_GPU_UTIL{namespace="serving", pod=~"chat-.*"})
      threshold: "0.7"
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
