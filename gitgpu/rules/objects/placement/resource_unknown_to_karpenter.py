"""A pod that requests a resource that Karpenter does not know."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NODE_OVERLAY
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.placement import cases
from gitgpu.objects.workload.pods import Pod
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    if any(True for _ in objects.of(*NODE_OVERLAY)):
        return  # an overlay can add the resource
    counted = set(objects.catalog.must("labels", "karpenter")["capacity"])
    mistaken = set(chain.from_iterable(row["mistakes"] for row in objects.catalog.rows("devices").values()))
    for case in cases(objects):
        if not case.agreeing:  # POD002 and POD003 report it
            continue
        for place, name in _requested(case.pod):
            if name not in counted and name not in mistaken:  # POD011 reports a misspelled device
                message = f"Karpenter does not expect any node to have {name}, so it does not start one for this pod"
                remedy = "request whole GPUs, or run the pod on an AKS node pool that already has nodes"
                yield Finding(case.pod.item, place, message, remedy)


def _requested(pod: Pod) -> Iterator[tuple[Pointer, str]]:
    total = pod.requests()
    for place, container in pod.containers():
        resources = container.get("resources") or {}
        limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
        for kind, amounts in (("limits", limits), ("requests", {**requests})):
            for name in amounts:
                # A request of 0 needs no node with the resource.
                if total.get(name) and not (kind == "requests" and name in limits):
                    yield (*place, "resources", kind, name), name


RULE = Rule(
    code="POD004",
    name="resource-unknown-to-karpenter",
    severity=Severity.ERROR,
    summary="A pod for Karpenter nodes requests parts of GPUs, RDMA devices or huge pages.",
    help="Before a node exists, Karpenter expects only whole GPUs, CPU, memory and disk. It never starts a node for "
    "nvidia.com/mig-*, nvidia.com/gpu.shared, rdma/* or hugepages-*, which appear only on running nodes. A "
    "NodeOverlay can add a resource; it is an alpha API, in node auto-provisioning as of Karpenter 1.7.2.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://github.com/Azure/AKS/blob/8d1c890900df47080a5a3a0de0ad06da110af845/CHANGELOG.md",
    ),
    check=_check,
)
