"""Node images that an advisory is about, in the output of az and in Kubernetes objects."""

import json

import pytest
import yaml

from gitgpu.adopt.node.advised_images import advised_images
from gitgpu.adopt.reading.observing import observe_texts
from gitgpu.inventory.joined import ImportOptions
from gitgpu.load.text import Text
from gitgpu.model.catalog import catalog
from gitgpu.objects.manifest.manifests import read_manifests
from tests.helping.cases import for_each

CLUSTER = "/subscriptions/a/resourceGroups/b/providers/Microsoft.ContainerService/managedClusters/prod"
A10 = "Standard_NV36ads_A10_v5"
UBUNTU = "AKSUbuntu-2204gen2containerd-202607.02.0"


def from_azure(size: str, image: str, driver: str = "Install") -> str:
    """The output of az aks nodepool list."""
    pool = {
        "id": f"{CLUSTER}/agentPools/gpu",
        "type": "Microsoft.ContainerService/managedClusters/agentPools",
        "name": "gpu",
        "vmSize": size,
        "nodeImageVersion": image,
        "gpuProfile": {"driver": driver},
    }
    return json.dumps([pool])


def from_kubernetes(size: str, image: str) -> str:
    """A node pool of Azure Service Operator with its status."""
    body = {
        "apiVersion": "containerservice.azure.com/v1api20250801",
        "kind": "ManagedClustersAgentPool",
        "metadata": {"name": "gpu", "namespace": "gpu-resources"},
        "spec": {"azureName": "gpu", "owner": {"armId": CLUSTER}, "vmSize": size},
        "status": {"nodeImageVersion": image},
    }
    return yaml.safe_dump(body)


def found(text: str) -> list[str]:
    """The messages about an input."""
    inventory = observe_texts([Text("in.yaml", text, "in.yaml")], (), ImportOptions(), read_manifests)
    return [finding.message for finding in advised_images(inventory, catalog(()), "")]


@pytest.mark.parametrize("text", [from_azure(A10, UBUNTU), from_kubernetes(A10, UBUNTU)])
def test_an_image_with_a_broken_driver_is_reported(text: str) -> None:
    [message] = found(text)
    assert f"runs the node image {UBUNTU} (ADV001): its kernel module" in message


def test_an_image_that_the_hosts_no_longer_support_is_reported() -> None:
    [message] = found(from_azure(A10, "AKSUbuntu-2204gen2containerd-202606.01.0"))
    assert "(ADV002)" in message


@for_each(
    "text",
    [
        from_azure(A10, "AKSUbuntu-2204gen2containerd-202607.02.1"),
        from_azure(A10, "AKSAzureLinux-V3gen2-202607.02.0"),
        from_azure(A10, UBUNTU, driver="None"),
        from_azure("Standard_NC24ads_A100_v4", UBUNTU),
        from_azure("Standard_D4s_v5", UBUNTU),
        from_azure("Standard_Unknown", UBUNTU),
    ],
)
def test_other_images_sizes_and_drivers_are_not(text: str) -> None:
    assert found(text) == []
