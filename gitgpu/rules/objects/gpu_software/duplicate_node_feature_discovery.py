"""Several installations of Node Feature Discovery in a cluster."""

from collections.abc import Iterator
from itertools import combinations

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.daemons import daemons, masters
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    charts = [chart for chart in daemons(objects, "feature-discovery") if chart.item.identity.kind != "DaemonSet"]
    remedy = "install it with one chart, and turn it off in the others"
    for first, second in combinations(charts, 2):
        # One release can contain it twice; values from elsewhere may turn it off.
        if first.cluster == second.cluster and first.item is not second.item and first.sure and second.sure:
            message = f"{first.title} also installs Node Feature Discovery"
            yield Finding(*second.place, message, remedy)
    here = [chart.title for chart in charts if chart.sure and not chart.cluster]
    if not here:
        return
    for pod, place in masters(objects):
        title = f"{pod.item.identity.kind} {pod.item.identity.name}"
        message = f"{title} runs the master of Node Feature Discovery, which {here[0]} also installs"
        yield Finding(pod.item, place, message, remedy)


RULE = Rule(
    code="STK003",
    name="duplicate-node-feature-discovery",
    severity=Severity.WARNING,
    summary="Node Feature Discovery is installed twice in one cluster.",
    help="Both installations write and remove the same node labels and custom resources. The charts of the GPU "
    "Operator, the Network Operator, the AMD GPU Operator and the device plugin each install it unless configured "
    "otherwise.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/getting-started.rst",
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/website/docs/configurations/02-gpu-drivers.md",
        "https://kubernetes-sigs.github.io/node-feature-discovery/v0.14/deployment/helm.html",
    ),
    check=_check,
)
