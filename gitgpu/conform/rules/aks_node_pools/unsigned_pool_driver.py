"""Secure Boot under a driver that is not signed for it."""

from collections.abc import Iterator

from gitgpu.conform.node.agent_pools import agent_pools
from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    unsigned = {row["name"] for row in objects.catalog.must("pools", "aks")["osSkus"] if row["signedDriver"] is False}
    for pool in agent_pools(objects):
        place = ("securityProfile", "enableSecureBoot")
        gpu = next((name for _, name, sku in pool.sizes(objects) if sku and sku.driver), "")
        if gpu and reach(pool.spec, *place) is True and pool.installs_driver and pool.os_sku in unsigned:
            message = f"Secure Boot on {pool.os_sku} does not load the driver that AKS installs on {gpu}"
            remedy = "write gpuProfile: {driver: None} and bring a signed driver, or take osSKU: AzureLinux"
            yield Finding(pool.item, pool.place(*place), message, remedy)


RULE = Rule(
    code="APL015",
    name="unsigned-pool-driver",
    severity=Severity.ERROR,
    summary="A GPU pool on Ubuntu turns Secure Boot on and has AKS install the driver.",
    help="The kernel then refuses the driver's modules; on Ubuntu somebody else has to bring signed ones.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-trusted-launch.md",
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
  securityProfile: {enableSecureBoot: true, enableVTPM: true}
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
  osSKU: AzureLinux
  securityProfile: {enableSecureBoot: true, enableVTPM: true}
""",
)
