"""GPU utilization of MIG instances, which is not available."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.prefixes import MIG_PREFIX
from gitgpu.objects.monitoring.queries import Query, queries
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import scaled_pods
from gitgpu.rules.object_rule import Finding, Rule

_OF_INSTANCES = "GPU_I_"  # labels of the DCGM exporter for MIG instances


BAD = """
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: {name: gpu, namespace: monitoring}
spec:
  groups:
  - name: gpu
    rules:
    - alert: SliceIdle
      expr: avg by (GPU_I_ID) (DCGM_FI_DEV_GPU_UTIL{GPU_I_PROFILE=~"1g.+"}) < 5
      for: 1h
"""
SCALED = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers:
      - name: main
        image: contoso.azurecr.io/chat:1.0
        resources: {limits: {nvidia.com/mig-1g.10gb: 1}}
---
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
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for query in queries(objects):
        for selector in query.of_dcgm:
            if selector.metric not in objects.catalog.must("dcgm", "fields")["notUnderMig"]:
                continue
            by_label = any(match.label.startswith(_OF_INSTANCES) and match.wants_label for match in selector.matchers)
            why = "selects MIG instances" if by_label else _slice_reason(query, objects)
            if why:
                message = f"the query {why}, which have no {selector.metric}"
                remedy = "use DCGM_FI_PROF_GR_ENGINE_ACTIVE, which ranges from 0 to 1"
                yield Finding(query.item, query.pointer, message, remedy)
                break


def _slice_reason(query: Query, objects: Objects) -> str:
    if query.item.identity.kind != "ScaledObject":  # only a scaler is about the pods of one workload
        return ""
    pod = scaled_pods(query.item, objects)
    for _, name, _ in pod.devices() if pod else ():
        if name.startswith(MIG_PREFIX):
            return f"scales pods with {name}"
    return ""


RULE = Rule(
    code="MON008",
    name="utilization-under-mig",
    severity=Severity.WARNING,
    summary="A query uses DCGM_FI_DEV_GPU_UTIL for MIG instances.",
    help="NVML measures utilization only for whole GPUs. With MIG the exporter does not export the field, and the "
    "query returns no data.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/issues/430",
        "https://github.com/NVIDIA/dcgm-exporter/issues/216",
    ),
    check=_check,
    bad=BAD,
    variants=(SCALED,),
    near_misses=(
        SCALED.replace("nvidia.com/mig-1g.10gb", "nvidia.com/gpu"),
        # The query selects whole GPUs.
        BAD.replace('GPU_I_PROFILE=~"1g.+"', 'GPU_I_PROFILE=""'),
    ),
    good=BAD.replace(
        'DCGM_FI_DEV_GPU_UTIL{GPU_I_PROFILE=~"1g.+"}) < 5', 'DCGM_FI_PROF_GR_ENGINE_ACTIVE{GPU_I_ID!=""}) < 0.05'
    ),
)
