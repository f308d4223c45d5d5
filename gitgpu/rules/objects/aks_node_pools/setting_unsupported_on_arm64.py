"""A setting that arm64 nodes do not support."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.node_images import fips_architectures
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_ARM64 = "arm64"


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        arm64 = [name for _, name, sku in pool.sizes(objects) if sku and sku.arch == _ARM64]
        if not arm64:
            continue
        for place, what, remedy in _unsupported(pool, objects.catalog):
            yield Finding(pool.item, place, f"{what} is not available on {arm64[0]}, which is arm64", remedy)


def _unsupported(pool: AgentPool, catalog: Catalog) -> Iterator[tuple[Pointer, str, str]]:
    has_trusted_launch = _ARM64 in catalog.must("pools", "aks")["trustedLaunch"]
    for key in ("enableSecureBoot", "enableVTPM"):  # the two parts of Trusted Launch
        if reach(pool.spec, "securityProfile", key) is True and not has_trusted_launch:
            yield pool.place("securityProfile", key), "Trusted Launch", "remove it"
    fips_for = fips_architectures(pool.os_sku, catalog, by_karpenter=False)
    if pool.spec.get("enableFIPS") is True and fips_for and _ARM64 not in fips_for:
        yield pool.place("enableFIPS"), f"FIPS on {pool.os_sku}", "remove it, or use an amd64 size"


RULE = Rule(
    code="APL091",
    name="setting-unsupported-on-arm64",
    severity=Severity.ERROR,
    summary="An arm64 node pool enables Trusted Launch, or FIPS on Ubuntu.",
    help="AKS rejects the pool: it supports neither on arm64 sizes, such as those with GB200 and GB300 GPUs.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-trusted-launch.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-arm64-vms.md",
    ),
    facts=("pools/aks",),
    check=_check,
)
