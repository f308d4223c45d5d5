"""The GPU Operator on nodes where AKS manages all GPU software."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.drivers._operator_nodes import operator_pools
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """DRV100 reports devicePlugin on such pools, and SCH012 the tag on pools with another driver."""
    for place, names in operator_pools(inputs, ("managed",)):
        message = f"the GPU Operator on {join_names(names)} runs its device plugin and exporter next to those of AKS"
        yield Finding(*place, message, "remove it, so that the nodes opt out of the operator")


RULE = Rule(
    code="DRV106",
    name="gpu-software-beside-managed-gpus",
    twin="STK101",
    severity=Severity.ERROR,
    summary="The GPU Operator manages nodes whose GPU software AKS manages, because they do not opt out.",
    help="The operator manages every node on which Node Feature Discovery finds an NVIDIA GPU, and pools with rdma "
    "need this discovery for their NICs. Without the label nvidia.com/gpu.deploy.operands=false, these nodes get a "
    "second device plugin and exporter, and the kubelet uses the plugin that registered last.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/state_manager.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
    ),
    check=_check,
)
