"""NVIDIA's DRA driver goes where there are GPUs that it can hand out."""

from collections.abc import Iterator

from gitgpu.check.claims import asking
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs, is_claimed

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: claims-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: {allocation: dra}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: mi300x}
spec:
  clusters: [claims-swc]
  sku: Standard_ND96isr_MI300X_v5
  limits: {gpus: 8}
  driver: operator
"""
GOOD = BAD.replace("  stack: {allocation: dra}\n", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Each place that asks for claims where no cluster has a pool whose GPUs can be claimed."""
    for place, clusters in asking(inputs, inputs.clusters):
        found = [(one, pool) for one in clusters for pool in inputs.pools_on(one)]
        if found and not any(is_claimed(*one) for one in found):
            message = (
                f"pods count all GPUs of {join_names([one.name for one in clusters])}: no pool there has some to claim"
            )
            remedy = "leave allocation out, or write driver: aks or operator on a Linux pool of NVIDIA GPUs"
            yield Finding(*place, message, remedy)


RULE = Rule(
    code="DRA009",
    name="claims-without-gpus",
    severity=Severity.WARNING,
    summary="A cluster hands out GPUs by claim, and has no pool whose GPUs can be claimed.",
    help="NVIDIA's DRA driver runs on Linux nodes with NVIDIA GPUs whose device plugin is gitgpu's to leave out: not "
    "on those that AKS manages, nor where somebody else brings the driver. On other nodes pods go on counting GPUs.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/dra-intro-install.rst",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
