"""A size that the pool's own AKSNodeClass keeps out."""

from collections.abc import Iterator, Sequence

from gitgpu.check.names import join_names
from gitgpu.conform.node.candidate_sizes import by_name, is_decided, named, own_class, place
from gitgpu.conform.node.node_pools import NodePool, matching, node_pools, terms
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.sku import Sku
from gitgpu.schedule.size import AZURE, GPU_COUNT, GPU_MAKER, GPU_NAME, Terms, left_out
from gitgpu.source import Pointer

EASY = Terms(gpu_mode="None")  # what no size is kept out by
REMEDIES = {
    "gpu_mode": "write gpu.mode: None in the AKSNodeClass, and bring a driver (AMD's GPU Operator does)",
    "image_family": "write imageFamily: Ubuntu in the AKSNodeClass",
    "fips": "write imageFamily: AzureLinux in the AKSNodeClass, or leave fipsMode out of it",
    "artifact_streaming": "leave artifactStreaming out of the AKSNodeClass",
    "encryption_at_host": "leave security.encryptionAtHost out of the AKSNodeClass",
    "local_dns": "leave localDNS out of the AKSNodeClass",
}
BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: render}
spec:
  limits: {nodes: 4}
  template:
    spec:
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: render}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC144ds_xl_RTXPRO6000BSE_v6]}]
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: render}
spec: {imageFamily: AzureLinux}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        owner = own_class(pool, objects)
        asked = terms(owner)
        for where, sizes in _barred(pool, objects, asked) if owner else ():
            reason, remedy = _cause(sizes[0], asked)
            names = join_names([sku.name for sku in sizes])
            message = f"with this NodePool's AKSNodeClass no node of {names} starts: {reason}"
            yield Finding(pool.item, where, message, f"{remedy}, or choose other sizes")


def _barred(pool: NodePool, objects: Objects, asked: Terms) -> Iterator[tuple[Pointer, Sequence[Sku]]]:
    """Each named size that the class keeps out; of sizes by requirement, all of them when it keeps out all."""
    if by_name(pool):
        yield from ((where, (sku,)) for where, sku in named(pool, objects) if _only_by_class(sku, asked))
    elif is_decided(pool, objects):
        left = [sku for sku in matching(pool, objects) if not left_out(sku, EASY)]
        if left and all(left_out(sku, asked) for sku in left):
            yield place(pool, GPU_MAKER, GPU_NAME, f"{AZURE}series", GPU_COUNT), left


def _only_by_class(sku: Sku, asked: Terms) -> bool:
    return bool(left_out(sku, asked)) and not left_out(sku, EASY)


def _cause(sku: Sku, asked: Terms) -> tuple[str, str]:
    """Why the class keeps the size out, and how it would let it in."""
    wanted = asked._asdict()
    culprits = (key for key, easy in EASY._asdict().items() if left_out(sku, EASY._replace(**{key: wanted[key]})))
    culprit = next(culprits, "")
    return left_out(sku, asked), REMEDIES.get(culprit, "change the AKSNodeClass")


RULE = Rule(
    code="NPS006",
    name="size-barred-by-node-class",
    severity=Severity.ERROR,
    summary="A NodePool wants sizes that its AKSNodeClass keeps out.",
    help="Karpenter drops the sizes that cannot do what the AKSNodeClass asks: AMD GPUs while AKS is to install the "
    "driver, GPUs without software for Azure Linux, arm64 sizes with artifact streaming. Both objects get Ready, no "
    "node starts.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
        "https://learn.microsoft.com/azure/aks/use-amd-gpus",
        "https://learn.microsoft.com/azure/aks/artifact-streaming",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("AzureLinux", "Ubuntu"),
)
