"""A Job on nodes that Karpenter consolidates while they are in use."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import DO_NOT_DISRUPT_ANNOTATION
from gitgpu.model.names.kinds import POD_DISRUPTION_BUDGET
from gitgpu.objects.node.disruption_budgets import budgets, possible_reasons
from gitgpu.objects.node.node_pools import NodePool
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.placement import cases, once_for_pools
from gitgpu.objects.workload.pod_templates import ends
from gitgpu.objects.workload.pods import Pod
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.budget import may_consolidate


def _check(objects: Objects) -> Iterator[Finding]:
    # A budget may keep the pods of its namespace.
    guarded = {item.identity.namespace for item in objects.of(*POD_DISRUPTION_BUDGET)}
    for case in cases(objects):
        pod = case.pod
        if not ends(pod.item) or pod.item.identity.namespace in guarded or case.is_open:
            continue
        name = "" if _is_kept(pod) else once_for_pools(case, objects, _consolidated_pool)
        if name:
            message = f"NodePool {name} consolidates nodes that are in use, which interrupts the job"
            remedy = (
                f'annotate the pods with {DO_NOT_DISRUPT_ANNOTATION}: "true", or set consolidationPolicy: WhenEmpty in '
                "the NodePool"
            )
            yield Finding(pod.item, pod.pointer, message, remedy, at_key=True)


def _is_kept(pod: Pod) -> bool:
    value = pod.annotations.get(DO_NOT_DISRUPT_ANNOTATION)
    return value is not None and value != "false"


def _consolidated_pool(pools: Sequence[NodePool]) -> str:
    """The name of the first NodePool if all of them consolidate nodes that are in use; empty otherwise."""
    if not all(map(_consolidates, pools)):
        return ""
    return pools[0].name if pools else ""


def _consolidates(pool: NodePool) -> bool:
    """Whether Karpenter may remove nodes of the pool that run pods."""
    return may_consolidate(budgets(pool), possible_reasons(pool))


RULE = Rule(
    code="POD090",
    name="job-on-consolidated-pool",
    twin="DIS009",
    severity=Severity.WARNING,
    summary="A GPU Job runs on nodes that Karpenter consolidates while they are in use.",
    help="Consolidation evicts pods to move them to fewer or cheaper nodes. A service tolerates that; a Job starts "
    "again, or from its last checkpoint. WhenEmptyOrUnderutilized is the default.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption",
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/pkg/controllers/disruption/consolidation.go",
    ),
    check=_check,
)
