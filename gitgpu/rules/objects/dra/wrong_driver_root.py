"""A DRA driver that looks for the GPU driver in the wrong directory."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import DRA, OPERATOR, chart_row, effective_value
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.operator_drivers import operator_drivers
from gitgpu.rules.object_rule import Finding, Rule

_KEY, _OF_AKS = "nvidiaDriverRoot", "/"  # AKS installs the driver on the node itself, not in a container


def _check(objects: Objects) -> Iterator[Finding]:
    by_operator = any(operator_drivers(objects))
    by_aks = any(pool.by_aks for pool in gpu_pools(objects))
    if by_operator == by_aks:
        return  # with both, or with neither, each root can be right
    operator_root = objects.catalog.must("charts", OPERATOR)["driverRoot"]
    expected = operator_root if by_operator else _OF_AKS
    for release in releases(objects):
        if release.whole and chart_row(release, objects).get("name") == DRA:
            root = effective_value(release, objects, _KEY)
            if root in (operator_root, _OF_AKS) and root != expected:  # any other directory is a choice of the user
                owner = "the GPU Operator" if by_operator else "AKS"
                message = f"{_KEY} is {root}, but {owner} installs the driver of the GPU pools under {expected}"
                yield Finding(*release.locate(_KEY), message, f"set {_KEY}: {expected}")


RULE = Rule(
    code="STK027",
    name="wrong-driver-root",
    severity=Severity.WARNING,
    summary="The NVIDIA DRA driver looks for the GPU driver in a directory where it is not installed.",
    help="AKS installs the driver on the node itself, the GPU Operator in its own directory. With the wrong "
    "directory, the plugin of the DRA driver finds no driver and does not get past its init container.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/site/content/docs/install.md",
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/deployments/helm/dra-driver-nvidia-gpu/values.yaml",
    ),
    facts=("charts/gpu-operator",),
    check=_check,
)
