"""A GPUCluster with a different name than the only one that is allowed."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import GPU_CLUSTER
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_NAME = "gpu-cluster"


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*GPU_CLUSTER):
        if item.identity.name != _NAME:
            message = f"a GPUCluster must have the name {_NAME}, not {item.identity.name}"
            yield Finding(item, ("metadata", "name"), message, f"name it {_NAME}")


RULE = Rule(
    code="STK103",
    name="misnamed-gpu-cluster",
    severity=Severity.ERROR,
    rejects=True,
    summary="A GPUCluster has a different name than gpu-cluster.",
    help="A cluster has one GPUCluster: the API server rejects all other names by a CEL rule of the definition.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/10ee5b3638b89e11e949412aafa5ba99279c3721/deployments/gpu-operator/crds/nvidia.com_gpuclusters.yaml",
    ),
    check=_check,
)
