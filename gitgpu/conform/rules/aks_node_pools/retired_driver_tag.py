"""A tag that once kept AKS from installing the GPU driver."""

from collections.abc import Iterator

from gitgpu.conform.node.agent_pools import agent_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    retired = {one["name"].lower(): one["since"] for one in objects.catalog.must("pools", "aks")["retiredTags"]}
    for pool in agent_pools(objects):
        for tag in pool.spec.get("tags") or ():
            since = retired.get(tag.lower())
            if since:
                message = f"AKS takes no pools with the tag {tag} since {since}"
                remedy = "remove the tag, and write gpuProfile: {driver: None}"
                yield Finding(pool.item, pool.place("tags", tag), message, remedy, at_key=True)


RULE = Rule(
    code="APL010",
    name="retired-driver-tag",
    severity=Severity.ERROR,
    summary="A node pool of AKS asks by a tag that the GPU driver be left out.",
    help="AKS has refused GPU pools with this tag since August 2025; the field gpuProfile.driver took its place.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/skip-gpu-driver-install-retirement.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
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
  count: 1
  tags: {SkipGPUDriverInstall: "true"}
""",
    good="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: Standard_NC40ads_H100_v5
  mode: User
  count: 1
  gpuProfile: {driver: None}
""",
)
