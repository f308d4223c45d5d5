"""Karpenter does not start a node for a pod with a ResourceClaim."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.karpenter import first_with
from gitgpu.model.value_origins import stack_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.claims import uses
from gitgpu.rules.inputs.karpenter import behind
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that claim all their GPUs, with the Karpenter clusters on which their pods stay Pending."""
    waiting: dict[tuple[str, str], tuple[Workload, list[str]]] = {}
    for use in uses(inputs):
        # DRA005 reports workloads that also have pools with counted GPUs.
        if use.claimed and not use.counted and all(pool.by_karpenter for pool in use.claimed):
            key = f"{use.workload.namespace}/{use.workload.name}", _outcome(use.cluster, inputs)
            _, clusters = waiting.setdefault(key, (use.workload, []))
            clusters.append(stack_with_place(use.cluster, "allocation"))
    for (_, outcome), (workload, clusters) in waiting.items():
        message = f"node auto-provisioning on {join_names(clusters)} {outcome}"
        remedy = (
            "set allocation: device-plugin, or suppress this finding with a reason if other pods keep nodes running"
        )
        yield Finding(workload.origin, ("spec", "pools"), message, remedy)


def _outcome(cluster: Cluster, inputs: Inputs) -> str:
    """What the Karpenter release of the cluster does with a pod that claims its GPUs."""
    since = inputs.catalog.must("features", "ignored-claims")["since"]
    older = behind([cluster], since, inputs)
    if older:
        return f"runs Karpenter {next(iter(older))}, which starts nodes without the devices of a claim"
    first = first_with(inputs.catalog, since)
    return f"does not start nodes for pods with a ResourceClaim (as of Karpenter {first})"


RULE = Rule(
    code="DRA003",
    name="claims-with-karpenter",
    twin="POD005",
    severity=Severity.ERROR,
    summary="A workload claims its GPUs on a cluster with node auto-provisioning.",
    help="Karpenter ignores pods with a ResourceClaim: its option IGNORE_DRA_REQUESTS is on by default, and Azure's "
    "chart requires it. Releases before 1.7 do not read claims and start a node for the CPU requests only. Either "
    "way, the pod runs only on a node that already exists.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/charts/karpenter/values.yaml",
        "https://github.com/Azure/AKS/issues/5962",
    ),
    facts=("features/ignored-claims",),
    check=_check,
)
