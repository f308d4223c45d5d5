"""A HorizontalPodAutoscaler that scales to zero where Kubernetes does not support it."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.version import minor, version
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import autoscalers
from gitgpu.rules.object_rule import Finding, Rule

_OUTSIDE = ("Object", "External")  # metrics that exist without a pod


def _check(objects: Objects) -> Iterator[Finding]:
    for item in autoscalers(objects):
        if item.body["spec"].get("minReplicas") == 0:
            since = objects.catalog.must("features", "hpa-scale-to-zero")["since"]
            fault = _fault(item, objects.kubernetes, since)
            if fault:
                remedy = "set minReplicas: 1, or use KEDA to scale to zero"
                yield Finding(item, ("spec", "minReplicas"), f"minReplicas is 0, but {fault}", remedy)


def _fault(item: Item, kubernetes: str, since: str) -> str:
    if kubernetes and version(kubernetes) < version(minor(since)):  # an unknown version is taken as new
        return f"this needs Kubernetes {minor(since)} or later, not {kubernetes}"
    types = {reach(metric, "type") for metric in reach(item.body, "spec", "metrics") or ()}
    return "no metric has type Object or External" if types.isdisjoint(_OUTSIDE) else ""


RULE = Rule(
    code="KED024",
    name="unsupported-scale-to-zero",
    severity=Severity.ERROR,
    rejects=True,
    summary="A HorizontalPodAutoscaler has minReplicas 0 in a case that the API server rejects.",
    help="Before Kubernetes 1.37 this needs an alpha feature gate, which you cannot set on AKS. As of 1.37 the API "
    "server rejects it unless there is a metric that exists without a running pod: type Object or External.",
    sources=(
        "https://kubernetes.io/blog/2026/09/02/kubernetes-v1-37-hpa-scale-to-zero-beta/",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/autoscaling/validation/validation.go",
    ),
    facts=("features/hpa-scale-to-zero",),
    check=_check,
)
