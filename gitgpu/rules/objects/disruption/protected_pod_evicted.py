"""A do-not-disrupt annotation that the NodePool overrides."""

from collections.abc import Iterator, Sequence

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import DO_NOT_DISRUPT_ANNOTATION
from gitgpu.objects.node.node_pools import SPEC, NodePool
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.placement import cases, once_for_pools
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for case in cases(objects):
        place = (*case.pod.pointer[:-1], "metadata", "annotations", DO_NOT_DISRUPT_ANNOTATION)
        # With a duration, the pod is meant to be evicted at some time.
        if case.pod.annotations.get(DO_NOT_DISRUPT_ANNOTATION) != "true" or case.is_open:
            continue
        name, end = once_for_pools(case, objects, _end)
        if end:
            message = f"NodePool {name} removes a drifted node after {end}, even while this pod runs on it"
            remedy = "remove terminationGracePeriod from the NodePool, or make it longer than the pod runs"
            yield Finding(case.pod.item, place, message, remedy)


def _end(pools: Sequence[NodePool]) -> tuple[str, str]:
    """The first NodePool and its terminationGracePeriod; empty if one of them has none."""
    ends = [reach(pool.item.body, *SPEC, "terminationGracePeriod") for pool in pools]
    return (pools[0].name, str(ends[0])) if ends and all(ends) else ("", "")


RULE = Rule(
    code="POD091",
    name="protected-pod-evicted",
    severity=Severity.INFO,
    summary="A pod has do-not-disrupt, and its nodes have a terminationGracePeriod.",
    help="Without a terminationGracePeriod Karpenter waits for such a pod before it replaces a drifted node. With "
    "one, it starts immediately and deletes the pod when the period ends, despite do-not-disrupt and "
    "PodDisruptionBudgets.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption",
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/pkg/controllers/disruption/types.go",
    ),
    check=_check,
)
