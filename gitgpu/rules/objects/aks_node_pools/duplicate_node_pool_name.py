"""Two objects for one node pool in Azure."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Identity, Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    first: dict[tuple[str, str, str], Identity] = {}
    for pool in agent_pools(objects):
        own, owner = pool.item.identity, reach(pool.spec, "owner") or {}
        # Azure compares resource IDs without case.
        cluster = owner.get("armId", "").lower() or owner.get("name", "")
        if not cluster or not pool.name:  # a pool in the spec of a cluster has no owner
            continue
        # A name refers to the namespace of the pool; an ID is the same in every namespace.
        key = (own.namespace if "name" in owner else "", cluster, pool.name)
        other = first.setdefault(key, own)
        if other != own:  # CNF008 reports a repeated object
            shown = other.name if other.namespace == own.namespace else f"{other.namespace}/{other.name}"
            message = f"duplicate node pool '{pool.name}': the object {shown} has the same name in Azure"
            yield Finding(pool.item, pool.name_at, message, "give one of the two another spec.azureName")


RULE = Rule(
    code="APL061",
    name="duplicate-node-pool-name",
    twin="AGP010",
    severity=Severity.ERROR,
    summary="Two objects of Azure Service Operator have the same node pool name in Azure.",
    help="The name in Azure is spec.azureName, and the two objects keep overwriting each other.",
    sources=(
        "https://github.com/Azure/azure-service-operator/blob/70edf9f0cf858de880e3d6105fe7ab84783d7576/v2/samples/containerservice/v20250801/v20250801_managedclustersagentpool.yaml",
    ),
    check=_check,
)
