"""A Linux setting on a Windows node pool, or the reverse."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        faults = _linux_settings(pool, objects.catalog) if pool.os_type == "Windows" else _windows_settings(pool)
        yield from (Finding(pool.item, *fault) for fault in faults)


def _linux_settings(pool: AgentPool, catalog: Catalog) -> Iterator[tuple[Pointer, str, str]]:
    for key in ("linuxOSConfig", "messageOfTheDay"):
        if pool.spec.get(key):
            yield pool.place(key), f"{key} applies to Linux, but this pool runs Windows", "remove it"
    kubelet = catalog.must("pools", "aks")["windowsKubelet"].values()
    for key in pool.spec.get("kubeletConfig") or {}:
        if key not in kubelet:
            yield (
                pool.place("kubeletConfig", key),
                f"kubeletConfig.{key} is not supported on Windows nodes",
                "remove it",
            )
    for key, value in (pool.spec.get("securityProfile") or {}).items():
        if key in ("enableSecureBoot", "enableVTPM") and value is True:  # the two parts of Trusted Launch
            yield pool.place("securityProfile", key), "Trusted Launch is not supported on Windows nodes", "remove it"


def _windows_settings(pool: AgentPool) -> Iterator[tuple[Pointer, str, str]]:
    if pool.spec.get("windowsProfile"):
        yield pool.place("windowsProfile"), "windowsProfile applies to Windows, but this pool runs Linux", "remove it"


RULE = Rule(
    code="APL062",
    name="linux-settings-on-windows",
    twin="WIN010",
    severity=Severity.ERROR,
    summary="A node pool has a setting that its operating system does not support.",
    help="AKS rejects the pool. Windows nodes support four kubelet settings, and no Trusted Launch.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/custom-node-configuration.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-trusted-launch.md",
        "https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update",
    ),
    facts=("pools/aks",),
    check=_check,
)
