"""A pod whose grace period is longer than its nodes'."""

from collections.abc import Iterator, Sequence

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.duration import seconds
from gitgpu.objects.node.node_pools import SPEC, NodePool
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.placement import cases, once_for_pools
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for case in cases(objects):
        grace = case.pod.spec.get("terminationGracePeriodSeconds")
        if not isinstance(grace, int) or case.is_open:
            continue
        end_of_first, latest = once_for_pools(case, objects, _ends)
        if latest is not None and latest < grace:
            name, end = end_of_first
            message = f"the grace period of the pod is {grace}s, but nodes of NodePool {name} terminate within {end}"
            remedy = f"raise terminationGracePeriod of the NodePool above {grace}s, or shorten the pod's grace period"
            place = (*case.pod.pointer, "terminationGracePeriodSeconds")
            yield Finding(case.pod.item, place, message, remedy)


def _ends(pools: Sequence[NodePool]) -> tuple[tuple[str, str], int | None]:
    """The first NodePool and its grace period, and the longest of all in seconds; None if one of them has none."""
    ends = [(pool.name, str(reach(pool.item.body, *SPEC, "terminationGracePeriod") or "")) for pool in pools]
    if not ends or not all(end for _, end in ends):
        return ("", ""), None
    return ends[0], max(seconds(end) for _, end in ends)


RULE = Rule(
    code="POD020",
    name="grace-period-beyond-node",
    severity=Severity.WARNING,
    summary="A pod has a longer grace period than the nodes that it runs on.",
    help="When Karpenter terminates a node, pods get no more time than the NodePool's terminationGracePeriod, "
    "regardless of their own grace period. A checkpoint that takes longer is lost.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/node/termination/terminator/terminator.go",
        "https://karpenter.sh/docs/concepts/disruption/#terminationgraceperiod",
    ),
    check=_check,
)
