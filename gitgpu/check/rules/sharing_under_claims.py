"""A GPU that pods claim is neither shared nor cut, and has the driver that all others have."""

from collections.abc import Iterator

from gitgpu.check.clusters import spread
from gitgpu.check.phrase import listed
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.written import stack_said
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs, is_claimed
from gitgpu.source import Pointer

BRANCH: Pointer = ("spec", "driverBranch")
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {allocation: dra}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
  partition: {timeSlicing: {replicas: 4}}
"""
GOOD = BAD.replace("allocation: dra", "allocation: device-plugin")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with shares, instances or a driver branch, and the clusters where their GPUs are claimed."""
    for pool, clusters in spread(inputs):
        way = pool.sharing.way or ("mig" if pool.mig else "")
        keys: tuple[Pointer, ...] = (
            *((("spec", "partition", way),) if way else ()),
            *((BRANCH,) if pool.branch else ()),
        )
        found = [stack_said(inputs, one, "allocation") for one in clusters if is_claimed(one, pool)] if keys else []
        for place in keys if found else ():
            message = f"{place[-1]} is for GPUs that the device plugin counts, and allocation is dra on {listed(found)}"
            remedy = f"leave {place[1]} out, or write allocation: device-plugin there"
            yield Finding(pool.origin, place, message, remedy)


RULE = Rule(
    code="DRA004",
    name="sharing-under-claims",
    severity=Severity.ERROR,
    summary="A pool shares or cuts its GPUs, or names a driver branch, on a cluster where they are claimed.",
    help="Shares are the device plugin's. NVIDIA's DRA driver shares a GPU among the containers of a pod, or among "
    "pods that name one ResourceClaim; time slices, MPS and counted shares are alpha gates of the driver, which "
    "gitgpu leaves off, and so is MIG on demand. A branch's driver would not clear a node of claimed GPUs first.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/pkg/featuregates/featuregates.go",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/dra-intro-install.rst",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
