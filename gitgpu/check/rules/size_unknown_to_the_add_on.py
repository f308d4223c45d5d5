"""The add-on makes nodes of sizes that it knows."""

from collections.abc import Iterator

from gitgpu.check.phrase import listed
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.served import POOLS, Fault, Served, findings
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {kaito: addon}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec: {clusters: [prod-swc], sku: Standard_ND96is_H100_v5, limits: {gpus: 8}, image: {osDiskGB: 1024}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: serving}
spec:
  pools: [a100]
  inference: {preset: phi-4-mini-instruct}
"""
GOOD = BAD.replace("kaito: addon", "kaito: helm")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Each fault once, however many clusters have it."""
    return findings(inputs, _faults)


def _faults(one: Served, row: Facts) -> Iterator[Fault]:
    """Pools of the add-on's models with sizes that it does not know."""
    for pool in one.pools if one.on_add_on else ():
        unknown = [sku.name for sku in pool.skus if sku.name not in row["sizes"]]
        if unknown:
            message = f"KAITO {row['name']} does not know {listed(unknown)} (pool {pool.name})"
            yield POOLS, message, "take a pool of another size, or write stack: {kaito: helm}"


RULE = Rule(
    code="KTO009",
    name="size-unknown-to-the-add-on",
    severity=Severity.ERROR,
    summary="A pool's size is not in the add-on's table of sizes.",
    help="The add-on makes the nodes itself and has a table of sizes, in which it looks up how many GPUs a model has "
    "there. A preset on a size that is not in it never gets its nodes.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/461f75cd536b9ede07667b44bcc3e31ff7d6f13a/pkg/sku/azure_sku_handler.go",
        "https://learn.microsoft.com/azure/aks/ai-toolchain-operator",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
