"""A size that Karpenter leaves out."""

from collections.abc import Iterator

from gitgpu.conform.node.candidate_sizes import values
from gitgpu.conform.node.node_pools import node_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.schedule.size import NAMES

PREFIX = "Standard_"
BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: confidential}
spec:
  limits: {nodes: 4}
  template:
    spec:
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements:
        - {key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NCC40ads_H100_v5, Standard_E4-2s_v5]}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        for place, name in values(pool, NAMES):
            reason, other = _why(name, objects.catalog)
            if reason:
                message = f"node auto-provisioning never starts {name}: {reason}"
                remedy = f"write {other}, or run this size in a node pool of your own"
                yield Finding(pool.item, place, message, remedy)


def _why(name: str, catalog: Catalog) -> tuple[str, str]:
    """Why a size is left out, and what to take instead; the reason is empty when it is not."""
    sku = catalog.sku(name)
    if sku is None:
        return _why_without_gpus(name, catalog), "another size"
    gone = sku.offer != "left-out" or sku.gone or sku.name != name
    reason = "" if gone else (sku.reason or "Karpenter leaves it out").rstrip(".")
    return reason, sku.lifecycle.replacement or "another size of `gitgpu sku list`"


def _why_without_gpus(name: str, catalog: Catalog) -> str:
    row, size = catalog.must("exclusions", "karpenter"), name.removeprefix(PREFIX)
    if name in row["restricted"]:
        return "it is on the list of sizes that Karpenter or AKS does not take"
    if name.startswith(PREFIX) and size.startswith(tuple(row["confidential"])):
        return "Karpenter on AKS takes no confidential sizes"
    if name.startswith(PREFIX) and size.rstrip("s").rstrip("0123456789") in row["fpga"]:
        return "it has FPGAs, which Azure counts as GPUs, and it is not on Karpenter's list of GPU sizes"
    before, dash, after = size.partition("-")
    if name.startswith(PREFIX) and dash and before[-1:].isdigit() and after[:1].isdigit():
        return "Karpenter on AKS takes no size with fewer vCPUs than its hardware has"
    return ""


RULE = Rule(
    code="NPS005",
    name="left-out-size",
    severity=Severity.ERROR,
    summary="A NodePool names a size that Karpenter on AKS leaves out.",
    help="Karpenter on AKS has a list of the GPU sizes that it knows, and drops every other size that Azure says has "
    "GPUs or FPGAs. It also drops confidential sizes, those with fewer vCPUs than their hardware has, and those whose "
    "name it cannot read.",
    sources=(
        "https://github.com/Azure/skewer/blob/1b511013c03b2dba717188759d734e6e38001fb8/vmsize.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/skus.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("NCC40ads", "NC40ads").replace("Standard_E4-2s_v5", "Standard_NC80adis_H100_v5"),
)
