"""A pod that asks for the GPUs of one manufacturer on nodes with those of another."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.devices import device_row
from gitgpu.conform.workload.node_constraints import request_place, requested_devices, required_labels
from gitgpu.conform.workload.placement import cases, gpu_devices, made
from gitgpu.conform.workload.pods import pods
from gitgpu.diagnostic import Severity

BAD = """
apiVersion: v1
kind: Pod
metadata: {name: render, namespace: serving}
spec:
  nodeSelector: {kubernetes.io/os: windows}
  containers:
  - name: main
    resources: {limits: {nvidia.com/gpu: 1}}
"""
_OS = "kubernetes.io/os"


def _check(objects: Objects) -> Iterator[Finding]:
    yield from _on_other_system(objects)
    for case in cases(objects):
        if case.agreeing and not case.is_open and not made(case, objects):
            names = gpu_devices(case.pod, objects)
            there = sorted({sku.resource for one in case.agreeing for sku in one.skus})
            if there and not names.keys() <= set(there):
                name = next(one for one in names if one not in there)
                pools = ", ".join(one.pool.name for one in case.agreeing)
                message = f"the pod asks for {name}, and the nodes of {pools} have {', '.join(there)}"
                yield Finding(case.pod.item, request_place(case.pod, name), message, f"write {there[0]}", at_key=True)


def _on_other_system(objects: Objects) -> Iterator[Finding]:
    facts = [objects.catalog.must("devices", name) for name in ("directx", "nvidia")]
    usual = {one["os"]: one["resources"][0] for one in facts}
    for pod in pods(objects):
        wish = next(
            (one for one in required_labels(pod) if (one.key, one.operator, one.term) == (_OS, "In", None)), None
        )
        system = wish.values[0][1] if wish else ""
        for name in requested_devices(pod) if system in usual else ():
            row = device_row(name, objects)
            if row and row["os"] != system:
                message = f"the pod asks for {name}, which nodes with {_OS}: {system} never have"
                remedy = f"write {usual[system]}"
                yield Finding(pod.item, request_place(pod, name), message, remedy, at_key=True)


RULE = Rule(
    code="POD013",
    name="wrong-device-for-pool",
    severity=Severity.ERROR,
    summary="A pod asks for GPUs by a name that the nodes it selects do not know.",
    help="NVIDIA's GPUs are nvidia.com/gpu and AMD's amd.com/gpu on Linux; on Windows nodes of AKS all are "
    "microsoft.com/directx. The API server takes any of them, and the pod stays Pending.",
    sources=(
        "https://learn.microsoft.com/azure/aks/use-windows-gpu",
        "https://learn.microsoft.com/azure/aks/use-amd-gpus",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("nvidia.com/gpu", "microsoft.com/directx"),
)
