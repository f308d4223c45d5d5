"""A retired tag no longer keeps the GPU driver off a node."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
  tags: {SkipGPUDriverInstall: "true"}
"""
GOOD = BAD.replace('tags: {SkipGPUDriverInstall: "true"}', "driver: operator")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Tags, in any casing, by which node pools once went without a driver."""
    for pool in (one for one in inputs.pools if one.tags):
        retired = {one["name"].lower(): one["since"] for one in inputs.catalog.must("pools", "aks")["retiredTags"]}
        for key in sorted(pool.tags):
            if since := retired.get(key.lower()):
                message = f"AKS retired the tag {key} on {since}: it keeps no driver off the nodes"
                remedy = "remove it; with driver: operator and driver: none AKS installs no driver"
                yield Finding(*pool_place(inputs, pool, "tags", key), message, remedy)


RULE = Rule(
    code="SCH022",
    name="retired-driver-tag",
    severity=Severity.ERROR,
    summary="A pool asks by a retired tag that the GPU driver be left out.",
    help="Node pools could once ask so by a tag. AKS has refused that since August 2025; on a node class the field "
    "gpu.mode says it, which gitgpu writes from the pool's driver.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/skip-gpu-driver-install-retirement.md",
        "https://learn.microsoft.com/azure/aks/use-nvidia-gpu",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
