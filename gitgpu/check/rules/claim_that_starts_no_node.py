"""Karpenter starts no node for a pod that claims its GPUs."""

from collections.abc import Iterator

from gitgpu.check.claims import uses
from gitgpu.check.phrase import listed
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.written import stack_said
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Workload
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {allocation: dra}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: ranker, namespace: serving}
spec:
  pools: [t4]
  target: {kind: Deployment, name: ranker}
"""
GOOD = BAD.replace("allocation: dra", "allocation: device-plugin")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose GPUs are all claimed, with the clusters where they wait for Karpenter."""
    waiting: dict[str, tuple[Workload, list[str]]] = {}
    for one in uses(inputs):
        if one.cluster.provisioner == "nap" and one.claimed and not one.counted:
            key = f"{one.workload.namespace}/{one.workload.name}"
            waiting.setdefault(key, (one.workload, []))[1].append(stack_said(inputs, one.cluster, "allocation"))
    for workload, clusters in waiting.values():
        message = f"node auto-provisioning on {listed(clusters)} starts no node for a pod with a resource claim"
        remedy = "write allocation: device-plugin there, or allow this with a reason where nodes are kept up otherwise"
        yield Finding(workload.origin, ("spec", "pools"), message, remedy)


RULE = Rule(
    code="DRA003",
    name="claim-that-starts-no-node",
    severity=Severity.ERROR,
    summary="A workload claims its GPUs on a cluster whose nodes Karpenter starts.",
    help="Karpenter rejects a pod with resource claims before it looks at any NodePool: the option that says so is on "
    "by default, and Azure's chart demands it. Releases before 1.7 do not see the claims, and start a node for the "
    "pod's CPU alone. Such a pod runs only on a node that is up for other reasons.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/charts/karpenter/values.yaml",
        "https://github.com/Azure/AKS/issues/5962",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
