"""A pod with ResourceClaims that waits for Karpenter."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.software.karpenter import first_with, running
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.other_clouds import may_be_foreign
from gitgpu.objects.workload.placement import is_pinned
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    since = objects.catalog.must("features", "ignored-claims")["since"]
    release, first = running(objects.catalog, objects.today), first_with(objects.catalog, since)
    if release and release.older(since):
        outcome = f"Karpenter {release} ignores the claims, and starts a node without the claimed devices"
    else:
        outcome = f"as of {first}, Karpenter does not start nodes for such pods"
    for pod in pods(objects):
        # Any other pod may run on a node that already exists, where its claims work.
        waits = pod.spec.get("resourceClaims") and not pod.is_daemon and is_pinned(pod, objects)
        if waits and not may_be_foreign(pod, objects):
            message = f"the pod has ResourceClaims and waits for a new node: {outcome}"
            remedy = "run the pod on an AKS node pool, or request the GPU as nvidia.com/gpu"
            yield Finding(pod.item, (*pod.pointer, "resourceClaims"), message, remedy)


RULE = Rule(
    code="POD005",
    name="claims-with-karpenter",
    twin="DRA003",
    severity=Severity.WARNING,
    summary="A pod with ResourceClaims selects nodes that only Karpenter starts.",
    help="Karpenter 1.7 and later, available on AKS since 2026-03-05, rejects a pod with ResourceClaims before it "
    "tries any NodePool: its chart requires IGNORE_DRA_REQUESTS. Older versions ignore the claims, and can start a "
    "node without the claimed devices.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/charts/karpenter/values.yaml",
        "https://github.com/Azure/AKS/issues/5962",
    ),
    facts=("features/ignored-claims",),
    check=_check,
)
