"""The GPU Operator's driver on an operating system that NVIDIA does not test."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.operator_drivers import operating_system, operator_drivers
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for release, pools, _ in operator_drivers(objects):
        tested = list(dict.fromkeys(tested_row["os"] for tested_row in chart_row(release, objects)["validated"]))
        for pool in pools:
            os_name = operating_system(pool, objects)
            # The finding is shown in the node class, so it has to be among the objects.
            if pool.node_class and os_name and tested and os_name not in tested:
                message = f"the GPU Operator installs its driver on {os_name}, which NVIDIA does not test"
                remedy = f"set imageFamily: Ubuntu (tested: {', '.join(tested)}), or let AKS install the driver"
                yield Finding(pool.node_class, ("spec", "imageFamily"), message, remedy)


RULE = Rule(
    code="STK008",
    name="operator-on-untested-os",
    twin="DRV003",
    severity=Severity.WARNING,
    summary="The GPU Operator installs its driver on an operating system that NVIDIA does not test.",
    help="The driver is an image that is built for one distribution. Without an image for the distribution, the "
    "driver pods never start, and the nodes never get GPUs.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/platform-support.rst",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/nvidia-gpu-operator.md",
    ),
    facts=("images/*", "charts/gpu-operator"),
    check=_check,
)
