"""gitgpu neither shares nor cuts a GPU that pods claim."""

from collections.abc import Iterator

from gitgpu.check.clusters import pools_with_clusters
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import stack_with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs, is_claimed

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
    """Pools with shares or instances, and the clusters where their GPUs are claimed."""
    for pool, clusters in pools_with_clusters(inputs):
        way = pool.sharing.way or ("mig" if pool.mig else "")
        found = (
            [stack_with_place(inputs, one, "allocation") for one in clusters if is_claimed(one, pool)] if way else []
        )
        if found:
            message = f"{way} is for GPUs that the device plugin counts, and allocation is dra on {join_names(found)}"
            remedy = "leave partition out, or write allocation: device-plugin there"
            yield Finding(pool.origin, ("spec", "partition", way), message, remedy)


RULE = Rule(
    code="DRA004",
    name="sharing-under-claims",
    severity=Severity.ERROR,
    summary="A pool shares or cuts its GPUs on a cluster where they are claimed.",
    help="gitgpu writes shares and MIG instances into the configuration of the device plugin and the MIG manager, "
    "which do not serve claimed GPUs. In NVIDIA's DRA driver time slices, MPS, counted shares and MIG on "
    "demand are alpha feature gates that are off by default; gitgpu leaves them off.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/pkg/featuregates/featuregates.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
