"""A Job in a pool whose nodes are consolidated while pods run on them."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.objects.workload.known_kinds import ENDING
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.budgets import budgets, possible_reasons
from gitgpu.schedule.budget import may_consolidate


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Jobs on pools that consolidate nodes with pods on them."""
    for workload in inputs.workloads:
        if workload.target_kind not in ENDING:
            continue
        nodepools = [pool for pool in inputs.pools_named(workload) if pool.by_karpenter]
        consolidated = {pool.name: pool for pool in nodepools if may_consolidate(budgets(pool), possible_reasons(pool))}
        for index, name in enumerate(workload.pools):
            if name in consolidated:
                policy = consolidated[name].disruption["consolidationPolicy"]
                kind = workload.target_kind
                message = f"pool {name} has consolidationPolicy {policy}, which may evict the {kind} while it runs"
                remedy = 'set consolidationPolicy: WhenEmpty, or annotate pods with karpenter.sh/do-not-disrupt: "true"'
                yield Finding(workload.origin, ("spec", "pools", index), message, remedy)


RULE = Rule(
    code="DIS009",
    name="job-on-consolidated-pool",
    twin="POD090",
    severity=Severity.WARNING,
    summary="A Job runs in a pool whose nodes are consolidated while pods run on them.",
    help="Consolidation moves pods to fewer or cheaper nodes by evicting them. A service tolerates that; a Job starts "
    "over, or continues from its last checkpoint. Pods with the annotation karpenter.sh/do-not-disrupt are not "
    "evicted.",
    sources=(
        "https://karpenter.sh/docs/concepts/disruption/",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption",
    ),
    check=_check,
)
