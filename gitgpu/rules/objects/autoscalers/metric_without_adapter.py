"""A metric of an autoscaler without an adapter that serves it."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import API_SERVICE, APPLICATION
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import autoscalers
from gitgpu.rules.object_rule import Finding, Rule

_APIS = {"Pods": "custom.metrics.k8s.io", "Object": "custom.metrics.k8s.io", "External": "external.metrics.k8s.io"}


def _check(objects: Objects) -> Iterator[Finding]:
    if not objects.closed or any(True for _ in releases(objects)) or any(objects.of(*APPLICATION)):
        return  # a chart can contain the adapter
    # An APIService is named after a version and a group, as in v1beta1.custom.metrics.k8s.io.
    served = {item.identity.name.partition(".")[2] for item in objects.of(*API_SERVICE)}
    for item in autoscalers(objects):
        for index, metric in enumerate(reach(item.body, "spec", "metrics") or ()):
            api = _APIS.get(reach(metric, "type") or "")
            if api and api not in served:
                message = f"no object here serves {api} for metrics of type {metric['type']}; the cluster may have one"
                remedy = "install prometheus-adapter, or use a KEDA ScaledObject with a prometheus trigger"
                yield Finding(item, ("spec", "metrics", index, "type"), message, remedy)


RULE = Rule(
    code="KED025",
    name="metric-without-adapter",
    severity=Severity.WARNING,
    summary="A HorizontalPodAutoscaler uses custom or external metrics on a cluster that does not serve them.",
    help="Kubernetes itself serves CPU and memory metrics. Others need an adapter that registers the metrics API. "
    "Without it the autoscaler reports an error and never scales.",
    sources=(
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
        "https://github.com/kubernetes-sigs/prometheus-adapter/blob/01919d0ef11859bc214e0c8a8bd5368afd9d47f7/docs/config.md",
    ),
    check=_check,
)
