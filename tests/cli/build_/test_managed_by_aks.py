"""A fleet with each choice of `Let AKS manage it` builds, alone and together."""

from typing import Any

import pytest
import yaml

from tests.cli.conftest import Run
from tests.cli.fleets import tree, write

ID = (
    "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/g/providers/"
    "Microsoft.ContainerService/managedClusters/c1"
)
T4, H100 = "Standard_NC16as_T4_v3", "Standard_ND96isr_H100_v5"
FIXED: dict[str, Any] = {"min": 2, "max": 2}
# Keys of the cluster and of the pool, and what the build writes for the choice.
CHOICES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "driver": ({}, {"driver": "managed"}, "managementMode: 'Managed'"),
    "claims": ({"stack": {"allocation": "aks-dra"}}, {"driver": "managed"}, "driverMode: 'DRA'"),
    "InfiniBand": ({}, {"sku": H100, "rdma": "managed"}, "dranet:"),
    "scheduler": ({"scheduler": {"gpus": "binpack"}}, {}, "kind: SchedulerConfiguration"),
    "queues": ({"region": "eastus", "stack": {"queues": "aks"}}, {}, "microsoft.kueue"),
    "sizes": ({}, {"sku": [T4, "Standard_NC64as_T4_v3"], "agentPool": {"type": "VirtualMachines"}}, "VirtualMachines"),
    "KAITO": ({"stack": {"kaito": "addon"}}, {}, "--enable-ai-toolchain-operator"),
}
AUTOMATIC = {"sku": "automatic", "delivery": {"namespace": "gitops"}, "stack": {"driver": "managed"}}


def built(run: Run, cluster: dict[str, Any], pool: dict[str, Any]) -> str:
    """All that a build writes. Asserts that it succeeds, and that another build changes nothing."""
    base = {"region": "swedencentral", "kubernetesVersion": "1.36"}
    specs = {
        "Fleet": {"delivery": {"repository": "https://example.com/x"}},
        "Cluster": base | cluster,
        "GpuPool": {"clusters": ["c1"], "sku": T4} | pool,
    }
    names = {"Fleet": "f", "Cluster": "c1", "GpuPool": "gpu"}
    head = {"apiVersion": "gitgpu.dev/v1alpha1"}
    documents = [head | {"kind": kind, "metadata": {"name": names[kind]}, "spec": spec} for kind, spec in specs.items()]
    write(yaml.safe_dump_all(documents))
    assert run("build").code == 0
    assert run("build", "--check").code == 0
    return b"".join(tree().values()).decode()


@pytest.mark.parametrize(("cluster", "pool", "written"), CHOICES.values(), ids=CHOICES)
def test_each_choice_of_a_cluster_with_node_pools(
    run: Run, cluster: dict[str, Any], pool: dict[str, Any], written: str
) -> None:
    pools = {"provisioner": "cluster-autoscaler", "resourceId": ID}
    assert written in built(run, pools | cluster, {"nodes": FIXED} | pool)


def test_aks_automatic(run: Run) -> None:
    text = built(run, AUTOMATIC, {"limits": {"gpus": 8}})
    assert "name: 'Automatic'" in text
    assert "kind: DaemonSet" not in text


def test_all_choices_that_go_together(run: Run) -> None:
    cluster = {
        "provisioner": "cluster-autoscaler",
        "resourceId": ID,
        "region": "eastus",
        "scheduler": {"gpus": "binpack"},
        "stack": {"queues": "aks", "kaito": "addon"},
    }
    text = built(run, cluster, {"sku": H100, "driver": "managed", "rdma": "managed", "nodes": FIXED})
    for words in ("managementMode: 'Managed'", "dranet:", "kind: SchedulerConfiguration", "microsoft.kueue"):
        assert words in text
