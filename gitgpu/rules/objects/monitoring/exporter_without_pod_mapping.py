"""A query by pod with an exporter that does not map GPUs to pods."""

from collections.abc import Iterable, Iterator
from functools import cache, partial

from gitgpu.diagnostic import Severity
from gitgpu.load.validate.whole_texts import whole
from gitgpu.model.metrics.promql import Matcher
from gitgpu.objects.monitoring.monitors import EXPORTER, Exporter, exporters_alone
from gitgpu.objects.monitoring.pod_mapping import VARIABLE, maps_pods
from gitgpu.objects.monitoring.queries import POD_LABELS, queries
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_SUFFIX = "x7k2p"  # what Kubernetes appends to the name of a DaemonSet: five random letters and digits
BAD = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: dcgm-exporter, namespace: gpu-monitoring}
spec:
  selector: {matchLabels: {app: dcgm-exporter}}
  template:
    metadata: {labels: {app: dcgm-exporter}}
    spec:
      containers:
      - name: exporter
        image: nvcr.io/nvidia/k8s/dcgm-exporter:4.5.3-4.8.2-distroless
        env: [{name: DCGM_EXPORTER_INTERVAL, value: "30000"}]
        volumeMounts: [{name: pods, mountPath: /var/lib/kubelet/pod-resources}]
      volumes: [{name: pods, hostPath: {path: /var/lib/kubelet/pod-resources}}]
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
    exporters = list(exporters_alone(objects))
    # One exporter that maps GPUs to pods can be the one that the query reads.
    if not exporters or any(maps_pods(exporter.container) is not False for exporter in exporters):
        return
    selects_exporter = cache(partial(_selects, exporters))  # queries share matchers
    for query in queries(objects):
        matchers = (matcher for matcher in query.dcgm_matchers if matcher.label in POD_LABELS)
        # A query for the exporter's own pods works without the mapping.
        label = next((matcher.label for matcher in matchers if not selects_exporter(matcher)), "")
        if label:
            message = f"no DCGM exporter here maps GPUs to pods, so the label '{label}' does not identify the workload"
            remedy = f'add {{name: {VARIABLE}, value: "true"}} to the env of the exporter\'s container'
            yield Finding(query.item, query.pointer, message, remedy)


def _selects(exporters: Iterable[Exporter], matcher: Matcher) -> bool:
    """Whether the matcher selects the pods or the container of one of the exporters."""
    if EXPORTER in matcher.value:
        return True
    pattern = whole(matcher.value)
    # A pattern that also matches other pods, such as .+, does not select the exporter.
    if pattern.matches(f"x-{_SUFFIX}"):
        return False
    for exporter in exporters:
        is_container = matcher.value == exporter.container.get("name")
        if is_container or pattern.matches(f"{exporter.pod.item.identity.name}-{_SUFFIX}"):
            return True
    return False


RULE = Rule(
    code="MON017",
    name="exporter-without-pod-mapping",
    severity=Severity.WARNING,
    summary="A query selects DCGM metrics by pod, but the exporter does not map GPUs to pods.",
    help="The exporter sets pod, namespace and container only if DCGM_EXPORTER_KUBERNETES is true, as its chart and "
    "the GPU Operator set it. It reads them from /var/lib/kubelet/pod-resources, which must be mounted.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/pkg/cmd/app.go",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/dcgm-exporter.yaml",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace('DCGM_EXPORTER_INTERVAL, value: "30000"', 'DCGM_EXPORTER_KUBERNETES, value: "true"'),
    variants=(
        BAD.replace('INTERVAL, value: "30000"', 'KUBERNETES, value: "false"'),
        BAD.replace(
            "        env: [{name", '        args: ["-kx", "--kubernetes-gpu-id-type=uid"]\n        env: [{name'
        ),
        BAD.replace('pod=~"chat-.*"', 'exported_container="chat"'),
        # Patterns that every pod matches.
        BAD.replace('pod=~"chat-.*"', 'pod=~".+"'),
        BAD.replace('pod=~"chat-.*"', 'pod!=""'),
    ),
    near_misses=(
        BAD.replace('INTERVAL, value: "30000"', 'KUBERNETES, value: "1"'),
        BAD.replace('INTERVAL, value: "30000"', 'KUBERNETES, value: "T"'),
        # Whether the variable is true is not known before the pod runs.
        BAD.replace('INTERVAL, value: "30000"', "KUBERNETES, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}"),
        # The ConfigMap may set the variable.
        BAD.replace(
            'env: [{name: DCGM_EXPORTER_INTERVAL, value: "30000"}]', "envFrom: [{configMapRef: {name: settings}}]"
        ),
        BAD.replace("        env: [{name", '        args: ["-k"]\n        env: [{name'),
        BAD.replace(
            "        env: [{name", '        command: [sh, -c, "dcgm-exporter --kubernetes"]\n        env: [{name'
        ),
        BAD.replace("        env: [{name", '        args: ["--kubernetes=true"]\n        env: [{name'),
        BAD.replace(', pod=~"chat-.*"', ""),
        BAD.replace('pod=~"chat-.*"', 'pod=~"dcgm-exporter-.*"'),
        BAD.replace('pod=~"chat-.*"', 'pod=~"dcgm.*"'),
        BAD.replace('pod=~"chat-.*"', 'pod=~"(?:dcgm|nvidia)-[a-z]+-[a-z0-9]{5}"'),
        BAD.replace('pod=~"chat-.*"', 'container="exporter"'),
        BAD.replace('pod=~"chat-.*"', 'pod=""'),
        BAD.replace("DCGM_FI_DEV_GPU_UTIL", "container_cpu_usage"),
    ),
)
