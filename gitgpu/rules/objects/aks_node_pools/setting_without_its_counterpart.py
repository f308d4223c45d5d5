"""A setting of a node pool that AKS accepts only together with another one."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        for fault in _faults(pool):
            yield Finding(pool.item, *fault)


def _faults(pool: AgentPool) -> Iterator[tuple[Pointer, str, str]]:
    if pool.spec.get("nodePublicIPPrefixReference") and pool.spec.get("enableNodePublicIP") is not True:
        message = "nodePublicIPPrefixReference needs nodes with public IP addresses"
        yield pool.place("nodePublicIPPrefixReference"), message, "add enableNodePublicIP: true, or remove it"
    if pool.spec.get("podIPAllocationMode") and not pool.spec.get("podSubnetReference"):
        message = "podIPAllocationMode needs a separate subnet for pods"
        yield pool.place("podIPAllocationMode"), message, "add podSubnetReference, or remove it"


RULE = Rule(
    code="APL094",
    name="setting-without-its-counterpart",
    severity=Severity.ERROR,
    summary="A node pool has a prefix of public IP addresses or an allocation of pod addresses without what it is for.",
    help="AKS rejects the pool: a prefix is for nodes with public IP addresses, and the allocation mode for pods with "
    "a subnet of their own.",
    sources=("https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update",),
    check=_check,
)
