"""Nodes with ARM processors stream no images."""

from collections.abc import Iterator

from gitgpu.check.requested_sizes import wrong_sizes
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place, with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: gb300}
spec:
  clusters: [prod-swc]
  sku: Standard_ND128isr_GB300_v6
  image: {artifactStreaming: true}
  limits: {gpus: 8}
"""
GOOD = BAD.replace("Standard_ND128isr_GB300_v6", "Standard_ND96isr_H200_v5").replace("gb300", "h200")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that stream, with sizes that are then left out."""
    for pool in (one for one in inputs.pools if one.image.get("artifactStreaming")):
        for where, sizes in wrong_sizes(pool, inputs.catalog, lambda sku: sku.arch == "arm64", every=True):
            arm = with_place(sizes, pool.origin, where)
            message = f"images are streamed to amd64 nodes only, and {arm} has ARM processors"
            remedy = "write artifactStreaming: false, or take sizes with other processors"
            yield Finding(*pool_place(inputs, pool, "image", "artifactStreaming"), message, remedy)


RULE = Rule(
    code="STR001",
    name="streaming-on-arm64",
    severity=Severity.ERROR,
    summary="A pool streams images to sizes with ARM processors.",
    help="Artifact streaming is made for linux/amd64. Karpenter takes ARM sizes off the list of a node class that "
    "asks for it, without a word: of a pool with only such sizes no node ever starts.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/artifact-streaming.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
