"""The folders of the output must not have the names of Windows devices."""

import re
from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])\Z", re.ASCII)  # with any ending, such as con.chat, too
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: aux}
spec: {region: swedencentral, kubernetesVersion: "1.36"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [aux], sku: Standard_NC16as_T4_v3, limits: {gpus: 8}}
"""


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters, and namespaces of workloads, whose folders Git for Windows cannot check out."""
    for cluster in inputs.clusters:
        if _DEVICE.match(cluster.name):
            message = f"Windows has a device '{cluster.name}', and the cluster's folder has the same name"
            yield Finding(
                cluster.origin, ("metadata", "name"), message, f"write another name, such as {cluster.name}-gpu"
            )
    for workload in inputs.workloads:
        if _DEVICE.match(workload.namespace):
            message = (
                f"Windows has a device '{workload.namespace}', and the workload's folder begins with the same name"
            )
            yield Finding(workload.origin, ("metadata", "namespace"), message, "use a namespace with another name")


RULE = Rule(
    code="CLU011",
    name="device-name",
    severity=Severity.WARNING,
    summary="A cluster or the namespace of a workload has the name of a Windows device, and so has its folder.",
    help="Windows keeps con, prn, aux, nul, com0 to com9 and lpt0 to lpt9 for devices, with any ending after a dot. "
    "Git cannot check the overlays out there.",
    sources=("https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file",),
    check=check,
    bad=BAD,
    good=BAD.replace("aux", "prod-swc"),
)
