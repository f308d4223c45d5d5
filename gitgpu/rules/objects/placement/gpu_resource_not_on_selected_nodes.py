"""A pod that requests a GPU resource that its nodes do not have."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import OS_LABEL
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.devices import device_row, gpu_devices
from gitgpu.objects.workload.node_constraints import request_place, requested_devices, required_labels
from gitgpu.objects.workload.placement import cases
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    yield from _not_on_selected_os(objects)
    for case in cases(objects):
        skus = chain.from_iterable(offer.skus for offer in case.agreeing)
        offered = sorted({sku.resource for sku in skus})
        lacking_devices = [device for device in gpu_devices(case.pod, objects) if device not in offered]
        if offered and lacking_devices and not case.is_open:
            pools = ", ".join(offer.pool.name for offer in case.agreeing)
            message = f"the pod requests {lacking_devices[0]}, but the nodes of {pools} have {', '.join(offered)}"
            place = request_place(case.pod, lacking_devices[0])
            yield Finding(case.pod.item, place, message, f"use {offered[0]}", at_key=True)


def _not_on_selected_os(objects: Objects) -> Iterator[Finding]:
    facts = [objects.catalog.must("devices", name) for name in ("directx", "nvidia")]
    resources = {row["os"]: row["resources"][0] for row in facts}
    for pod in pods(objects):
        system = _selected_os(pod)
        if system not in resources:
            continue
        for name in requested_devices(pod):
            row = device_row(name, objects)
            if row and row["os"] != system:
                message = f"the pod requests {name}, which nodes with {OS_LABEL}: {system} never have"
                remedy = f"use {resources[system]}"
                yield Finding(pod.item, request_place(pod, name), message, remedy, at_key=True)


def _selected_os(pod: Pod) -> str:
    """The operating system that the node selector of a pod names; "" if it names none."""
    for label in required_labels(pod):
        if (label.key, label.operator, label.term) == (OS_LABEL, "In", None):
            return label.values[0][1]
    return ""


RULE = Rule(
    code="POD013",
    name="gpu-resource-not-on-selected-nodes",
    severity=Severity.ERROR,
    summary="A pod requests a GPU resource that the nodes it selects do not have.",
    help="On Linux, NVIDIA GPUs are nvidia.com/gpu and AMD GPUs are amd.com/gpu. On Windows AKS nodes, every GPU "
    "is microsoft.com/directx. The API server accepts any of these names, and the pod stays Pending.",
    sources=(
        "https://learn.microsoft.com/azure/aks/use-windows-gpu",
        "https://learn.microsoft.com/azure/aks/use-amd-gpus",
    ),
    check=_check,
)
