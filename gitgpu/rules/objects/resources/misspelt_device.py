"""A device name that no device plugin advertises."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.devices import intended_device, named_resources
from gitgpu.objects.workload.pods import partial_pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in partial_pods(objects):
        for place, name, _ in named_resources(pod):
            # RSC007 reports a name without a domain.
            right = intended_device(name, objects) if "/" in name else ""
            if right:
                message = f"no node has {name}, so the pod stays Pending"
                repair = Repair(Change.KEY, place, right)
                yield Finding(pod.item, place, message, f"use {right}", at_key=True, repair=repair)


RULE = Rule(
    code="POD011",
    name="misspelt-device",
    severity=Severity.ERROR,
    summary="A container requests a GPU with a misspelt name.",
    help="The API server accepts any resource name, but nodes have only the names that a device plugin advertises. "
    "Case, hyphens and dots must match exactly, otherwise the pod stays Pending.",
    sources=(
        "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/internal/rm/rm.go",
        "https://learn.microsoft.com/azure/aks/gpu-multi-instance",
    ),
    check=_check,
    fixable=True,
)
