"""Karpenter starts no node for a pod that claims its GPUs."""

from collections.abc import Iterator

from gitgpu.check.claims import uses
from gitgpu.check.karpenter import behind
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import stack_with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.karpenter import first_with

REJECTS = "1.7.0"  # the first release that rejects such a pod
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
    waiting: dict[tuple[str, str], tuple[Workload, list[str]]] = {}
    for one in uses(inputs):
        if one.cluster.provisioner == "nap" and one.claimed and not one.counted:
            key = f"{one.workload.namespace}/{one.workload.name}", _outcome(one.cluster, inputs)
            waiting.setdefault(key, (one.workload, []))[1].append(stack_with_place(inputs, one.cluster, "allocation"))
    for (_, outcome), (workload, clusters) in waiting.items():
        message = f"node auto-provisioning on {join_names(clusters)} {outcome}"
        remedy = "write allocation: device-plugin there, or allow this with a reason where nodes are kept up otherwise"
        yield Finding(workload.origin, ("spec", "pools"), message, remedy)


def _outcome(cluster: Cluster, inputs: Inputs) -> str:
    """What the release of Karpenter that runs there does with a pod that claims its GPUs."""
    older = behind([cluster], REJECTS, inputs)
    if older:
        return f"runs Karpenter {next(iter(older))}, which starts a node without what the claim of a pod asks for"
    first = first_with(inputs.catalog, REJECTS)
    return f"starts no node for a pod with a resource claim, since Karpenter {first}"


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
