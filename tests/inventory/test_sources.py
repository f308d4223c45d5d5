"""Which format a document is recognised as, and what is read from it."""

import json
from typing import Any

import pytest

from gitgpu.inventory.joined import ImportOptions
from gitgpu.inventory.read import read_text
from gitgpu.load.text import Text
from tests.helping.cases import for_each
from tests.inventory.reading import NOTHING, bodies, faults, read

NAMED = {"name": "a", "namespace": "n"}
LISTED = {**NAMED, "chart": "keda-2.18.1", "app_version": "2.18.1"}


@for_each(
    ("data", "is_release"),
    [
        (LISTED, True),
        ({**NAMED, "chart": "keda-2.18.1", "appVersion": "2.18.1"}, True),
        ({**NAMED, "info": {}, "version": 1}, True),
        ({**NAMED, "info": {}, "chart": {}}, True),
        ({**NAMED, "info": {}}, False),
        ({**NAMED, "info": "x", "version": 1}, False),
        ({**NAMED, "chart": "keda-2.18.1"}, False),
        ({**NAMED, "app_version": "2.18.1"}, False),
        ({**LISTED, "name": ""}, False),
        ({"name": "a", "chart": "keda-2.18.1", "app_version": "2.18.1"}, False),
        ({**LISTED, "apiVersion": "v2"}, False),
        ([LISTED, LISTED], True),
        ([LISTED, 5], False),
    ],
)
def test_the_output_of_helm_is_recognised(data: Any, is_release: bool) -> None:
    assert ("helm" in read_text(Text("a.json", json.dumps(data), ""), NOTHING).formats) == is_release


@for_each(
    ("more", "chart", "version"),
    [
        ({"chart": "keda-2.18.1"}, "keda", "2.18.1"),
        ({"chart": "gpu-operator-v25.3.0"}, "gpu-operator", "v25.3.0"),
        ({"chart": "keda"}, "keda", ""),
        ({"chart": "keda", "version": "2.18.1"}, "keda", "2.18.1"),
        ({"chart": "a-1.2.3", "version": "2.18.1"}, "a-1.2.3", "2.18.1"),
        ({"chart": {"metadata": {"name": "keda", "version": "2.18.1"}}, "info": {}}, "keda", "2.18.1"),
    ],
)
def test_the_chart_of_a_release(more: Any, chart: str, version: str) -> None:
    (body,) = bodies(read(json.dumps({**LISTED, **more}))).values()
    assert (body["chart"], body["version"]) == (chart, version)


@pytest.mark.parametrize("entry", [5, {"name": "a"}, {"apiVersion": "v1", "type": "a/b", "id": "/a"}])
def test_an_entry_of_a_list_of_azure_that_is_no_resource(entry: Any) -> None:
    pool = {"name": "gpu", "vmSize": "Standard_NC6s_v3", "mode": "User"}
    (skipped,) = read(json.dumps([pool, entry])).skipped
    assert (skipped.name, skipped.reason) == ("entry", "not an Azure resource: it has no id and type")


def test_a_resource_of_azure_that_is_no_cluster() -> None:
    pool = {"name": "gpu", "vmSize": "Standard_NC6s_v3", "mode": "User"}
    (skipped,) = read(json.dumps([pool, {"id": "/a", "type": "Microsoft.Compute/disks", "name": "data"}])).skipped
    assert (skipped.name, skipped.reason) == ("Microsoft.Compute/disks data", "neither an AKS cluster nor a node pool")


@for_each(
    ("where", "is_read"),
    [
        ("properties.addonProfiles", True),
        ("properties.agentPoolProfiles", True),
        ("properties.aiToolchainOperatorProfile", True),
        ("properties.azureMonitorProfile", True),
        ("properties.kubernetesVersion", True),
        ("properties.networkProfile", True),
        ("properties.nodeProvisioningProfile", True),
        ("properties.workloadAutoScalerProfile", True),
        ("location", True),
        ("properties.dnsPrefix", False),
        ("tags.networkProfile", False),
        ("tags", False),
    ],
)
def test_a_value_of_a_cluster_that_only_a_deployment_knows(where: str, is_read: bool) -> None:
    """It is a warning if import reads the value."""
    values: Any = "[reference('a')]"
    for key in reversed(where.split(".")):
        values = {key: values}
    kind = "Microsoft.ContainerService/managedClusters"
    template = {"contentVersion": "1.0.0.0", "resources": [{"type": kind, "name": "aks", **values}]}
    message = f"IMP007 1: {kind} aks: /{where.replace('.', '/')} is known only after deployment, and was skipped"
    inventory = read(json.dumps(template))
    assert faults(inventory) == [message] * is_read
    remedy = "pass the running state instead: the output of `az aks show -o json`"
    assert [fault.help for fault in inventory.faults] == [remedy] * is_read


@pytest.mark.parametrize(
    ("named", "codes"), [(None, ["IMP009"]), (frozenset({"a.json"}), ["IMP009"]), (frozenset({"b.json"}), [])]
)
def test_a_document_in_an_unknown_format_is_an_error_in_a_file_that_is_named(
    named: frozenset[str] | None, codes: list[str]
) -> None:
    inventory = read("x: 1\n", asked=ImportOptions(named=named))
    assert [fault.code for fault in inventory.faults] == codes
    assert len(inventory.skipped) == (not codes)


CLUSTER = {"type": "Microsoft.ContainerService/managedClusters", "name": "auto", "location": "swedencentral"}


@pytest.mark.parametrize(
    "data",
    [
        {**CLUSTER, "id": "/subscriptions/s", "sku": {"name": "Automatic"}, "agentPoolProfiles": None},
        {**CLUSTER, "id": "/subscriptions/s", "sku": {"name": "Automatic"}, "properties": {"agentPoolProfiles": None}},
        {
            "apiVersion": "containerservice.azure.com/v1api20250801",
            "kind": "ManagedCluster",
            "metadata": {"name": "auto", "namespace": "n"},
            "spec": {"location": "swedencentral", "sku": {"name": "automatic"}},
        },
    ],
)
def test_an_automatic_cluster_has_node_auto_provisioning(data: Any) -> None:
    (cluster,) = read(json.dumps(data)).clusters
    assert (cluster.azure.sku, cluster.azure.provisioner) == ("automatic", "nap")
