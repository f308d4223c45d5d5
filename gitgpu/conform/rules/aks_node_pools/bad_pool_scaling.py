"""Numbers of nodes that AKS refuses."""

from collections.abc import Iterator

from gitgpu.conform.node.agent_pools import AgentPool, agent_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.source import Pointer

_LIMITS = ("minCount", "maxCount")


def _check(objects: Objects) -> Iterator[Finding]:
    nodes = objects.catalog.must("pools", "aks")["nodes"]
    for pool in agent_pools(objects):
        least = nodes["system"] if pool.spec.get("mode") == "System" else 0
        faults = _scaled(pool) if pool.spec.get("enableAutoScaling") is True else _fixed(pool)
        for fault in (*faults, *_outside(pool, least, nodes["most"])):
            yield Finding(pool.item, *fault)


def _fixed(pool: AgentPool) -> Iterator[tuple[Pointer, str, str]]:
    for field in _LIMITS:
        if pool.spec.get(field) is not None:
            message = f"{field} is for the cluster autoscaler, and the pool does not have it"
            yield pool.place(field), message, f"write enableAutoScaling: true, or remove {field}"


def _scaled(pool: AgentPool) -> Iterator[tuple[Pointer, str, str]]:
    place = pool.place("enableAutoScaling")
    missing = [field for field in _LIMITS if pool.spec.get(field) is None]
    low, high = (pool.spec.get(field) for field in _LIMITS)
    if missing:
        yield place, f"the cluster autoscaler is on without {' and '.join(missing)}", f"add {' and '.join(missing)}"
    elif low is not None and high is not None and low > high:
        yield pool.place("minCount"), f"minCount {low} is more than maxCount {high}", "write the smaller number first"


def _outside(pool: AgentPool, least: int, most: int) -> Iterator[tuple[Pointer, str, str]]:
    for field in ("count", *_LIMITS):
        value = pool.spec.get(field)
        if value is not None and not least <= value <= most:
            message = f"{field} is {value}; this pool takes {least} to {most} nodes"
            yield pool.place(field), message, f"write a number from {least} to {most}"


RULE = Rule(
    code="APL006",
    name="bad-pool-scaling",
    severity=Severity.ERROR,
    summary="A node pool has limits without the cluster autoscaler, the reverse, or numbers that AKS does not take.",
    help="AKS takes minCount and maxCount together with enableAutoScaling only; a system pool keeps at least one node.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-system-pools.md",
        "https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update",
    ),
    check=_check,
    bad="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: Standard_NC40ads_H100_v5
  mode: User
  enableAutoScaling: true
  minCount: 4
  maxCount: 2
""",
    good="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: Standard_NC40ads_H100_v5
  mode: User
  enableAutoScaling: true
  minCount: 0
  maxCount: 2
""",
)
