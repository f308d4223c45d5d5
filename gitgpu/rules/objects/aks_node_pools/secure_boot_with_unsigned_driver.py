"""Secure Boot with a driver that is not signed."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    # null: no guide says whether the driver is signed.
    unsigned = {row["name"] for row in objects.catalog.must("pools", "aks")["osSkus"] if row["signedDriver"] is False}
    for pool in agent_pools(objects):
        place = ("securityProfile", "enableSecureBoot")
        gpu = next((name for _, name, sku in pool.sizes(objects) if sku and sku.driver), "")
        if gpu and reach(pool.spec, *place) is True and pool.installs_driver and pool.os_sku in unsigned:
            message = (
                f"Secure Boot on {pool.os_sku} rejects the driver that AKS installs on {gpu}, because it is not signed"
            )
            remedy = (
                "set osSKU: AzureLinux (in a GpuPool, image: {family: AzureLinux}), or install a signed driver and"
                " set gpuProfile: {driver: None} (in a GpuPool, driver: none)"
            )
            yield Finding(pool.item, pool.place(*place), message, remedy)


RULE = Rule(
    code="APL015",
    name="secure-boot-with-unsigned-driver",
    severity=Severity.ERROR,
    summary="A GPU node pool on Ubuntu enables Secure Boot and lets AKS install the driver.",
    help="The kernel does not load the driver's modules. On Ubuntu you must install signed ones yourself.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-trusted-launch.md",
    ),
    facts=("pools/aks",),
    check=_check,
)
