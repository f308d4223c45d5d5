"""A job that sets nodes or GPUs, which follow from pools and gpus."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.resources import AMD_GPU, NVIDIA_GPU
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer

POD: Pointer = ("spec", "job", "template", "spec")
DEVICES = (NVIDIA_GPU, AMD_GPU)  # the resources that gitgpu sets from gpus


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Jobs with a node affinity or GPU resources."""
    for workload in inputs.workloads:
        if not workload.job:
            continue
        for place, what in _set_by_gitgpu(workload.job["template"]["spec"]):
            message = f"the job sets {what}, which gitgpu sets"
            yield Finding(workload.origin, (*POD, *place), message, f"remove {place[-1]} from the job")


def _set_by_gitgpu(pod: Mapping[str, Any]) -> Iterator[tuple[Pointer, str]]:
    """Each place in a pod's spec that gitgpu sets itself, and what it is."""
    if "nodeAffinity" in pod.get("affinity", {}):
        yield ("affinity", "nodeAffinity"), "a node affinity"
    for index, container in enumerate(pod["containers"]):
        for kind in ("limits", "requests"):
            for name in container.get("resources", {}).get(kind, {}):
                if name in DEVICES:
                    yield ("containers", index, "resources", kind, name), name


RULE = Rule(
    code="SCL070",
    name="job-with-pools-or-gpus",
    severity=Severity.ERROR,
    summary="A job sets a node affinity or a number of GPUs.",
    help="Set pools and gpus of the workload: gitgpu derives the affinity and the limit from them. Tolerations in the "
    "job are kept in addition to those of the pools.",
    sources=("https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/",),
    check=_check,
)
