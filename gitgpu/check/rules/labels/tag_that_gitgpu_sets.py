"""The tag that hands a node's GPU software to AKS is gitgpu's to set."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import MANAGED_TAG, Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
  tags: {EnableManagedGPUExperience: "true"}
"""
GOOD = BAD.replace('tags: {EnableManagedGPUExperience: "true"}', "driver: aks")


def check(inputs: Inputs) -> Iterator[Finding]:
    """The tag in any casing: Azure does not tell them apart."""
    for pool in inputs.pools:
        for key in sorted(pool.tags):
            if key.lower() == MANAGED_TAG.lower():
                message = f"the tag {key} makes AKS install a device plugin beside the one that the spec asks for"
                remedy = "remove it; write driver: managed to leave the GPU software to AKS"
                yield Finding(*pool_place(inputs, pool, "tags", key), message, remedy)


RULE = Rule(
    code="SCH012",
    name="tag-that-gitgpu-sets",
    severity=Severity.ERROR,
    summary="A pool sets the tag by which AKS manages the GPU software of a node.",
    help="AKS reads the tag when a node starts and installs its own device plugin and exporter. gitgpu sets it where "
    "driver is managed; anywhere else there would be two of each.",
    sources=(
        "https://learn.microsoft.com/azure/aks/aks-managed-gpu-nodes",
        "https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
