"""A pod that is protected from the cluster autoscaler, on Karpenter nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import DO_NOT_DISRUPT_ANNOTATION, SAFE_TO_EVICT_ANNOTATION
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.placement import cases, within_limits
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for case in cases(objects):
        place = (*case.pod.pointer[:-1], "metadata", "annotations")
        notes = case.pod.annotations
        # "true" allows eviction, as Karpenter does anyway.
        if notes.get(SAFE_TO_EVICT_ANNOTATION) != "false" or DO_NOT_DISRUPT_ANNOTATION in notes or case.is_open:
            continue
        pools = [offer.pool for offer in within_limits(case, objects)]
        if pools:
            message = f"Karpenter, which runs the nodes of NodePool {pools[0].name}, does not read this annotation"
            remedy = f'annotate the pod with {DO_NOT_DISRUPT_ANNOTATION}: "true" instead'
            yield Finding(case.pod.item, (*place, SAFE_TO_EVICT_ANNOTATION), message, remedy, at_key=True)


RULE = Rule(
    code="POD045",
    name="autoscaler-annotation-on-karpenter",
    severity=Severity.WARNING,
    summary="A pod on Karpenter nodes has the protection annotation of the cluster autoscaler, which Karpenter does "
    "not read.",
    help="Karpenter still replaces and consolidates the node, and evicts the pod.",
    sources=(
        "https://github.com/aws/karpenter-provider-aws/issues/3775",
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/pkg/utils/pod/scheduling.go",
        "https://github.com/kubernetes-sigs/karpenter/issues/703",
        "https://kubernetes.io/docs/reference/labels-annotations-taints/#cluster-autoscaler-kubernetes-io-safe-to-evict",
    ),
    check=_check,
)
