"""AKS node pools as `az aks show` and Azure Service Operator print them: each is adopted, and its nodes stay."""

import json
from collections.abc import Mapping
from typing import Any

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.adopt.reading.observing import observe_texts
from gitgpu.inventory.joined import ImportOptions
from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.runs.import_ import Imported, import_fleet
from tests.helping.cases import for_each

ID = (
    "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/prod/providers/Microsoft.ContainerService"
    "/managedClusters/prod-swc"
)
POOL: Mapping[str, Any] = {
    "name": "gpu",
    "vmSize": "Standard_NC24ads_A100_v4",
    "count": 1,
    "enableAutoScaling": False,
    "mode": "User",
    "osType": "Linux",
    "osSku": "Ubuntu",
    "osDiskSizeGB": 128,
    "osDiskType": "Managed",
    "maxPods": 250,
    "nodeTaints": ["sku=gpu:NoSchedule"],
    "gpuProfile": {"driver": "Install", "driverType": None, "nvidia": None},
}
WINDOWS = {"osType": "Windows", "osSku": "Windows2022", "vmSize": "Standard_NC16as_T4_v3", "maxPods": 30}


def imported(**pool: Any) -> Imported:
    """The import of a cluster with this node pool."""
    cluster = {
        "id": ID,
        "name": "prod-swc",
        "location": "swedencentral",
        "kubernetesVersion": "1.34.2",
        "type": "Microsoft.ContainerService/ManagedClusters",
        "agentPoolProfiles": [{**POOL, **pool}],
    }
    return of_text(json.dumps(cluster), "show.json")


def of_text(text: str, name: str) -> Imported:
    """The import of a file."""
    inventory = observe_texts(
        [Text(name, text, name)], (), ImportOptions(), lambda manifests: read_manifests(manifests, None)
    )
    return import_fleet(inventory, ClusterOptions(region="swedencentral", kubernetes="1.34"), (), "fleet")


@for_each(
    "pool",
    [
        {"count": 0},
        {"gpuProfile": {"driver": "Install", "nvidia": {"managementMode": "Unmanaged", "migStrategy": "None"}}},
        {**WINDOWS, "gpuProfile": {"driver": "Install", "driverType": "CUDA"}},
        {**WINDOWS, "gpuProfile": {"driver": "Install", "driverType": "GRID"}},
        {"nodeLabels": {"nvidia.com/device-plugin.config": "my-config"}},
    ],
    ids=["no nodes", "unmanaged", "the default type", "another type", "a configuration that was not read"],
)
def test_a_node_pool_is_adopted(pool: Mapping[str, Any]) -> None:
    made = imported(**pool)
    assert not made.report().of(Fate.INEXPRESSIBLE)
    assert [verdict.word for verdict in made.verdicts] == ["keep"]


def test_a_pool_without_nodes_stays_without_nodes() -> None:
    assert "nodes: {min: 0, max: 0}" in imported(count=0).files["clusters/prod-swc/pools/gpu.yaml"]


def test_a_configuration_that_was_not_read_leaves_the_device_plugin_to_its_owner() -> None:
    """gitgpu's own plugin has no configuration of this name, and would not start."""
    text = imported(nodeLabels={"nvidia.com/device-plugin.config": "my-config"}).files["clusters/prod-swc/cluster.yaml"]
    assert "driver: aks-only" in text


def test_the_status_of_a_node_pool_names_the_cluster_in_azure() -> None:
    made = of_text(
        f"""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {{name: gpu, namespace: gpu-resources, uid: a}}
spec: {{azureName: gpu, owner: {{name: prod}}, vmSize: Standard_NC24ads_A100_v4, osType: Linux, mode: User, count: 0}}
status: {{id: {ID}/agentPools/gpu, provisioningState: Succeeded}}
""",
        "aso.yaml",
    )
    assert f"resourceId: {ID}\n" in made.files["clusters/prod/cluster.yaml"]
