"""Folders of the output must not have the name of a Windows device."""

import re
from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule

# Windows reserves a name also with an extension: the folder of workload chat in namespace con is con.chat.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])\Z", re.ASCII)


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters, and namespaces of workloads, whose folders Git for Windows cannot check out."""
    for cluster in inputs.clusters:
        if _DEVICE.match(cluster.name):
            message = f"'{cluster.name}' is a device name on Windows: its folder cannot be created there"
            yield Finding(
                cluster.origin, ("metadata", "name"), message, f"use another name, such as {cluster.name}-gpu"
            )
    for workload in inputs.workloads:
        if _DEVICE.match(workload.namespace):
            message = f"'{workload.namespace}' is a device name on Windows: its folder cannot be created there"
            yield Finding(workload.origin, ("metadata", "namespace"), message, "use a namespace with a different name")


RULE = Rule(
    code="CLU011",
    name="windows-device-name",
    severity=Severity.WARNING,
    summary="A cluster, or the namespace of a workload, has the name of a Windows device.",
    help="Windows reserves con, prn, aux, nul, com0 to com9 and lpt0 to lpt9 for devices, also with a file "
    "extension. Git cannot check out the overlays there.",
    sources=("https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file",),
    check=_check,
)
