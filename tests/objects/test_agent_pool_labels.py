"""The labels that AKS sets on the nodes of a node pool. Rules and the simulator read the same ones."""

import pytest

from gitgpu.model.syntax.requirement import fixed_labels, requirement
from gitgpu.objects.items import gather, item_of
from gitgpu.objects.node.agent_pool_labels import labels_of
from gitgpu.objects.node.agent_pools import agent_pools
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, bad_example, conformed, read, shared_norms

POOL = """
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpunp, namespace: aks}
spec: {owner: {name: prod}, SPEC}
"""
PRIORITY = "kubernetes.azure.com/scalesetpriority"
ALL = {"agentpool": "gpunp", "kubernetes.azure.com/agentpool": "gpunp", "kubernetes.azure.com/mode": "user"}
LINUX, WINDOWS = {**ALL, "kubernetes.io/os": "linux"}, {**ALL, "kubernetes.io/os": "windows"}
OF_A100 = {
    "node.kubernetes.io/instance-type": "Standard_NC24ads_A100_v4",
    "accelerator": "nvidia",
    "kubernetes.azure.com/accelerator": "nvidia",
}
OF_MI300X = {
    "node.kubernetes.io/instance-type": "Standard_ND96isr_MI300X_v5",
    "accelerator": "amd",
    "kubernetes.azure.com/accelerator": "amd",
}


@for_each(
    ("spec", "labels"),
    [
        ("vmSize: Standard_NC24ads_A100_v4", {**LINUX, **OF_A100}),
        ("vmSize: standard_nc24ads_a100_v4, nodeLabels: {team: ml}", {**LINUX, **OF_A100, "team": "ml"}),
        ("vmSize: Standard_NC24ads_A100_v4, scaleSetPriority: Spot", {**LINUX, **OF_A100, PRIORITY: "spot"}),
        ("vmSize: Standard_ND96isr_MI300X_v5", {**LINUX, **OF_MI300X}),
        ("vmSize: Standard_D8s_v5, mode: System", {**LINUX, "kubernetes.azure.com/mode": "system"}),
        (
            "vmSize: Standard_NC16as_T4_v3, osType: Windows",  # no guide shows `accelerator` on Windows
            {**WINDOWS, "node.kubernetes.io/instance-type": "Standard_NC16as_T4_v3"},
        ),
        (
            "vmSize: Standard_NC24ads_A100_v4, nodeLabels: {accelerator: a100}",  # AKS sets it to another value
            {key: value for key, value in {**LINUX, **OF_A100}.items() if key != "accelerator"},
        ),
    ],
)
def test_the_labels_that_follow_from_a_node_pool(spec: str, labels: dict[str, str]) -> None:
    norms = shared_norms()
    items = [item_of(given, norms.contracts.clamp(KUBERNETES), norms)[0] for given in read(POOL.replace("SPEC", spec))]
    objects = gather(items, KUBERNETES, norms, closed=True)
    (pool,) = agent_pools(objects)
    regular = {} if PRIORITY in labels else {PRIORITY: requirement(PRIORITY, "DoesNotExist")}
    assert labels_of(pool, objects) == {**fixed_labels(labels), **regular}


@pytest.mark.parametrize(("maker", "found"), [("nvidia", True), ("amd", False)])
def test_a_rule_reads_the_same_labels_as_the_simulator(maker: str, found: bool) -> None:
    """tests/simulate/test_node_pools.py has the same selectors for a pod."""
    text = bad_example("POD036", 2).replace("accelerator: nvidia", f"accelerator: {maker}")
    assert ("POD036" in {finding.code for finding in conformed(text)}) is found
