"""A node pool with an operating system that its other settings do not allow."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.version import NUMBERS, version
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools, kubernetes_of
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    rows = {row["name"]: row for row in objects.catalog.must("pools", "aks")["osSkus"]}
    for pool in agent_pools(objects):
        if pool.os_type == "Windows" and pool.spec.get("mode") == "System":
            message = "a system pool must run Linux, but this one has osType Windows"
            yield Finding(pool.item, pool.place("osType"), message, "set mode: User, and add a Linux system pool")
        row = rows.get(pool.os_sku)
        if not row:  # an unknown osSKU, or Windows without one
            if pool.os_type == "Windows" and not pool.os_sku:
                yield from (
                    Finding(pool.item, *fault) for fault in _size_conflicts(pool, ["windows"], "Windows", objects)
                )
            continue
        for fault in _faults(pool, row, objects):
            yield Finding(pool.item, *fault)


def _faults(pool: AgentPool, row: Mapping[str, Any], objects: Objects) -> Iterator[tuple[Pointer, str, str]]:
    place, name, end = pool.place("osSKU"), row["name"], row.get("before")
    if row["os"] != pool.os_type:
        yield (
            place,
            f"osSKU {name} is {row['os']}, but osType is {pool.os_type}",
            f"set osType: {row['os']}, or use another osSKU",
        )
        return
    used = kubernetes_of(pool, objects) or objects.kubernetes
    if end and NUMBERS.match(str(used)) and version(str(used)) >= version(end):
        yield place, f"AKS does not support osSKU {name} on Kubernetes {end} and later", "use a newer osSKU"
    first = row.get("from")
    if first and NUMBERS.match(str(used)) and version(str(used)) < version(first):
        yield place, f"osSKU {name} needs Kubernetes {first}, but the pool runs {used}", "use an older osSKU"
    if row["sizes"] is not None:
        yield from _size_conflicts(pool, row["sizes"], name, objects)


def _size_conflicts(
    pool: AgentPool, images: Sequence[str], name: str, objects: Objects
) -> Iterator[tuple[Pointer, str, str]]:
    for at, size, sku in pool.sizes(objects):
        # A size lists the images for the AKS driver, which a pool with NVIDIA GPUs can turn off.
        wanted = sku and (pool.installs_driver or sku.manufacturer == "amd")
        if sku and wanted and sku.os and not set(sku.os) & set(images):
            yield at, f"AKS does not support the GPUs of {size} on {name}", "use another osSKU or another size"


RULE = Rule(
    code="APL009",
    name="conflicting-os",
    twin="WIN006",
    severity=Severity.ERROR,
    summary="The osSKU of a node pool conflicts with its osType, mode, GPU size or Kubernetes version.",
    help="AKS rejects the pool, or its nodes start without GPU software.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-system-pools.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-amd-gpus.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/windows-server-2019-retirement.md",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
    ),
    facts=("pools/aks",),
    check=_check,
)
