"""A node pool of a size that Azure no longer sells."""

from collections.abc import Iterator

from gitgpu.check.dates import retired, retirement
from gitgpu.conform.node.agent_pools import agent_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        for place, name, sku in pool.sizes(objects):
            if sku and (sku.gone or retired(sku, objects.today)):
                never = sku.lifecycle.status == "never-offered"
                message = f"Azure never offered {name}" if never else retirement(sku)
                other = sku.lifecycle.replacement
                remedy = f"take another size, such as {other}" if other else "take a size of the catalog that is active"
                yield Finding(pool.item, place, message, remedy)


RULE = Rule(
    code="APL002",
    name="retired-pool-size",
    severity=Severity.ERROR,
    summary="A node pool of AKS asks for a GPU size that is retired, or that Azure never offered.",
    help="Azure refuses to create virtual machines of such a size, and stops those that still run.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/retirement/retired-sizes-list",
    ),
    check=_check,
    bad="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: Standard_NC24s_v3
  mode: User
  count: 1
""",
    good="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: Standard_NC24ads_A100_v4
  mode: User
  count: 1
""",
)
