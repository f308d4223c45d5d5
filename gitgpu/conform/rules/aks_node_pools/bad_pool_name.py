"""A name that AKS does not take for a node pool."""

import re
from collections.abc import Iterator

from gitgpu.conform.node.agent_pools import agent_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

_FORM = re.compile(r"[a-z][a-z0-9]*\Z", re.ASCII)


def _check(objects: Objects) -> Iterator[Finding]:
    limits = objects.catalog.must("pools", "aks")["nameLength"]
    for pool in agent_pools(objects):
        most = limits[pool.os_type]
        if pool.name and not (_FORM.match(pool.name) and len(pool.name) <= most):
            message = f"'{pool.name}' is no valid name of a {pool.os_type} node pool"
            own = "" if pool.name_at[-1] != "name" or pool.pointer != ("spec",) else " as spec.azureName"
            remedy = f"write 1 to {most} small letters and digits{own}, beginning with a letter"
            yield Finding(pool.item, pool.name_at, message, remedy)


RULE = Rule(
    code="APL001",
    name="bad-pool-name",
    severity=Severity.ERROR,
    summary="A node pool of AKS has a name that is too long, or holds more than small letters and digits.",
    help="Without spec.azureName the name of the object is the pool's, and Azure allows less than Kubernetes does.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/create-node-pools.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-system-pools.md",
    ),
    check=_check,
    bad="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: a100-training, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: Standard_NC24ads_A100_v4
  mode: User
  count: 1
""",
    good="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: a100-training, namespace: fleet}
spec:
  owner: {name: contoso}
  azureName: a100training
  vmSize: Standard_NC24ads_A100_v4
  mode: User
  count: 1
""",
)
