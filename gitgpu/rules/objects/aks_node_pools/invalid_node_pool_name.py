"""A node pool name that AKS rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.node_pool_name import is_valid_name
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    limits = objects.catalog.must("pools", "aks")["nameLength"]
    for pool in agent_pools(objects):
        maximum = limits[pool.os_type]
        if pool.name and not is_valid_name(pool.name, maximum):
            message = f"'{pool.name}' is not a valid name for a {pool.os_type} node pool"
            is_object_name = pool.name_at == ("metadata", "name")
            field = " as spec.azureName" if is_object_name else ""
            remedy = f"use 1 to {maximum} lowercase letters and digits{field}, starting with a letter"
            yield Finding(pool.item, pool.name_at, message, remedy)


RULE = Rule(
    code="APL001",
    name="invalid-node-pool-name",
    twin="AGP009",
    severity=Severity.ERROR,
    summary="The name of an AKS node pool is too long, or has characters other than lowercase letters and digits.",
    help="Without spec.azureName the pool gets the name of the object, but the names that Azure allows are more "
    "restricted than those of Kubernetes.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/create-node-pools.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-system-pools.md",
    ),
    facts=("pools/aks",),
    check=_check,
)
