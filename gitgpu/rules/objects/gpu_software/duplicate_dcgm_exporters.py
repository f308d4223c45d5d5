"""Two DCGM exporters on the same nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.duplicates import duplicates, pool_names
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for first, second, pools in duplicates(objects, "dcgm-exporter"):
        message = f"{first.title} also runs a DCGM exporter on {pool_names(pools)}"
        if not pools:
            message = f"{first.title} also installs a DCGM exporter, possibly on the same nodes"
        yield Finding(*second.place, message, "turn one of them off, or select different nodes by a label")


RULE = Rule(
    code="STK002",
    name="duplicate-dcgm-exporters",
    severity=Severity.WARNING,
    summary="Two DCGM exporters run, or may run, on the same GPU nodes.",
    help="Every metric of a GPU then exists twice, so sums over GPUs are doubled, and both exporters compete for the "
    "profiling counters of the GPU.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/values.yaml",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
    ),
    check=_check,
)
