"""A workload gets its GPUs in one way on all its pools of a cluster."""

from collections.abc import Iterator

from gitgpu.check.claims import uses
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_with_place, stack_with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

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
metadata: {name: t4-managed}
spec: {clusters: [prod-swc], sku: Standard_NC16as_T4_v3, limits: {gpus: 8}, driver: managed}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: ranker, namespace: serving}
spec:
  pools: [t4, t4-managed]
  target: {kind: Deployment, name: ranker}
"""
GOOD = BAD.replace("allocation: dra", "allocation: device-plugin").replace(", driver: managed", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads over pools of both sorts on one cluster."""
    for one in uses(inputs):
        if one.claimed and one.counted:
            where, claimed = stack_with_place(inputs, one.cluster, "allocation"), [pool.name for pool in one.claimed]
            counted = [pool_with_place(inputs, pool, "driver") for pool in one.counted]
            by_claim, by_count = join_names(claimed), join_names(counted)
            message = f"on {where} the GPUs of {by_claim} are claimed, and those of {by_count} are counted"
            remedy = "keep the pools of one sort, and write a GpuWorkload for the others"
            yield Finding(one.workload.origin, ("spec", "pools"), message, remedy)


RULE = Rule(
    code="DRA005",
    name="claimed-and-counted",
    severity=Severity.ERROR,
    summary="A workload's GPUs are claimed on some of its pools, and counted on others of the same cluster.",
    help="A pod asks by claim or by count, and the DRA driver serves only the nodes whose device plugin it takes the "
    "place of: not those that AKS manages, and not those where somebody else brings the driver. The pods would never "
    "run on the others.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/README.md",
        "https://learn.microsoft.com/azure/aks/aks-managed-gpu-nodes",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
