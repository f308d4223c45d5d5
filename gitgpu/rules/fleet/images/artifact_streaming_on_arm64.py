"""Artifact streaming does not support arm64 nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import wrong_sizes


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with artifact streaming and arm64 sizes, which Karpenter then excludes."""
    for pool in inputs.pools:
        if not pool.image.get("artifactStreaming"):
            continue
        for where, sizes in wrong_sizes(pool, inputs.catalog, lambda sku: sku.arch == "arm64", every=True):
            message = f"artifact streaming supports amd64 only, but {with_place(sizes, pool.origin, where)} is arm64"
            remedy = "set artifactStreaming: false, or use amd64 sizes"
            yield Finding(*pool_place(pool, "image", "artifactStreaming"), message, remedy)


RULE = Rule(
    code="STR001",
    name="artifact-streaming-on-arm64",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool uses artifact streaming on arm64 sizes.",
    help="Artifact streaming supports linux/amd64 only. Karpenter silently drops arm64 sizes when an AKSNodeClass "
    "enables it. A pool with arm64 sizes only never starts a node.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/artifact-streaming.md",
    ),
    facts=("skus",),
    check=_check,
)
