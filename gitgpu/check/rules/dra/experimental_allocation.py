"""GPUs by resource claim are nothing that AKS supports yet."""

from collections.abc import Iterator

from gitgpu.check.claims import asking
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {allocation: dra}}
"""
GOOD = BAD.replace("allocation: dra", "allocation: device-plugin")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Once for each place that asks for it."""
    for place, clusters in asking(inputs, inputs.clusters):
        message = f"allocation: dra is experimental on AKS ({join_names([one.name for one in clusters])})"
        yield Finding(*place, message, "try it on a cluster that may fail, or write allocation: device-plugin")


RULE = Rule(
    code="DRA001",
    name="experimental-allocation",
    severity=Severity.WARNING,
    summary="GPUs are handed out by NVIDIA's DRA driver, which AKS does not support yet.",
    help="Kubernetes has made Dynamic Resource Allocation stable with 1.34. On AKS the driver is yours to install and "
    "to keep: a driver that AKS manages is announced and not there. NVIDIA's driver counts whole GPUs as done, and "
    "sharing, health checks and MIG on demand as alpha.",
    sources=(
        "https://github.com/Azure/AKS/issues/5962",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/dra-intro-install.rst",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
