"""Without its opt-out label, the GPU Operator also manages nodes with AKS's driver on which its discovery runs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import AKS_ONLY
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.drivers._operator_nodes import operator_pools
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names

_DRIVERS = ("aks", AKS_ONLY)  # DRV106 reports managed GPUs


def _check(inputs: Inputs) -> Iterator[Finding]:
    for place, names in operator_pools(inputs, _DRIVERS):
        message = f"the GPU Operator on {join_names(names)} also manages these nodes, whose driver AKS installs"
        yield Finding(*place, message, "remove it, or set driver: operator")


RULE = Rule(
    code="DRV019",
    name="operator-on-pools-of-aks-driver",
    severity=Severity.WARNING,
    summary="The GPU Operator manages nodes whose driver AKS installs, because they do not opt out.",
    help="The operator manages every node on which Node Feature Discovery finds an NVIDIA GPU, and pools with rdma "
    "need this discovery for their NICs. Without the label nvidia.com/gpu.deploy.operands=false, the operator installs "
    "a second device plugin, and the kubelet uses the one that registered last.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/state_manager.go",
        "https://github.com/NVIDIA/gpu-operator/blob/10ee5b3638b89e11e949412aafa5ba99279c3721/deployments/gpu-operator/values.yaml",
    ),
    check=_check,
)
