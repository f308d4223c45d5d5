"""Pods that tolerate every taint, or that of AKS's system nodes, which AKS Automatic rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.automatic import is_automatic
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects) if is_automatic(objects) else ():
        for index, toleration in enumerate(pod.tolerations):
            if toleration and not toleration.get("key") and toleration.get("operator") == "Exists":
                place = (*pod.pointer, "tolerations", index)
                message = "AKS Automatic rejects pods that tolerate every taint, and so those of its system nodes"
                yield Finding(pod.item, place, message, "tolerate the taints of your nodes by their keys")


RULE = Rule(
    code="APL108",
    name="toleration-of-every-taint-on-automatic",
    severity=Severity.WARNING,
    summary="Pods tolerate every taint, on an AKS Automatic cluster.",
    help="AKS Automatic keeps workloads off the system nodes that AKS manages: its admission policies reject broad "
    "tolerations. What exactly they match is not documented.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/automatic/aks-automatic-managed-system-node-pools-about.md",
    ),
    check=_check,
)
