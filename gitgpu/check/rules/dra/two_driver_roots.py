"""The DRA driver finds the GPU driver in one place on all nodes of a cluster."""

from collections.abc import Iterator

from gitgpu.check.drivers import driver_place
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import stack_place, with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs, driver_on, is_claimed

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {allocation: dra}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [prod-swc], sku: Standard_NC16as_T4_v3, limits: {gpus: 8}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC40ads_H100_v5
  image: {family: Ubuntu2204}
  limits: {gpus: 8}
  driver: operator
"""
GOOD = BAD.replace("allocation: dra", "allocation: device-plugin")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with claimed pools of two drivers."""
    for cluster in inputs.clusters:
        owners: dict[str, Pool] = {}
        for pool in inputs.pools_on(cluster):
            if is_claimed(cluster, pool):
                owners.setdefault(driver_on(cluster, pool), pool)
        if len(owners) > 1:
            shown = " and ".join(_said(inputs, cluster, *one) for one in sorted(owners.items()))
            message = f"{cluster.name} has {shown}, and the DRA driver looks in one place for both"
            place = stack_place(inputs, cluster, "allocation")
            yield Finding(*place, message, "write the same driver on these pools, or keep them on two clusters")


def _said(inputs: Inputs, cluster: Cluster, owner: str, pool: Pool) -> str:
    return with_place(f"driver: {owner} on pool {pool.name}", *driver_place(inputs, cluster, pool))


RULE = Rule(
    code="DRA006",
    name="two-driver-roots",
    severity=Severity.ERROR,
    summary="On a cluster whose GPUs are claimed, AKS installs the driver of some pools and the GPU Operator that of "
    "others.",
    help="NVIDIA's DRA driver is one release with one nvidiaDriverRoot, for its device classes are there once: / "
    "where AKS installs the driver, a directory of the operator's where that does. With the wrong one its pods never "
    "become ready.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/deployments/helm/dra-driver-nvidia-gpu/values.yaml",
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/site/content/docs/install.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
