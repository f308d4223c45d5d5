"""Kubernetes objects: which are read, and why others are not."""

import json
from typing import Any

from tests.helping.cases import for_each
from tests.inventory.reading import bodies, faults, read

ASO = "containerservice.azure.com/v1api20250801"
EVENT = "an event, not a part of the cluster's configuration"
KUSTOMIZE = "a Kustomize input, not a cluster object"


def manifest(api_version: str, kind: str, spec: Any = None, **meta: Any) -> str:
    """An object named gpu."""
    return json.dumps({"apiVersion": api_version, "kind": kind, "metadata": {"name": "gpu", **meta}, "spec": spec})


def of_class(**reference: str) -> Any:
    """The spec of a NodePool with a node class."""
    return {"template": {"spec": {"nodeClassRef": reference}}}


@for_each(
    ("text", "reason"),
    [
        (manifest("v1", "Secret"), "Secrets are never read"),
        (manifest("v1", "Config"), "a kubeconfig, which contains credentials"),
        (manifest("v1", "Node"), "a node: gitgpu reads its pool instead"),
        (manifest("v1", "Event"), EVENT),
        (manifest("events.k8s.io/v1", "Event"), EVENT),
        (manifest("kustomize.config.k8s.io/v1beta1", "Kustomization"), KUSTOMIZE),
        (manifest("kustomize.config.k8s.io/v1alpha1", "Component"), KUSTOMIZE),
        (manifest("karpenter.k8s.aws/v1", "EC2NodeClass"), "for AWS, not for Azure"),
        (manifest("karpenter.k8s.gcp/v1alpha1", "GCENodeClass"), "for Google Cloud, not for Azure"),
        (manifest("karpenter.k8s.alibabacloud/v1alpha1", "ECSNodeClass"), "for Alibaba Cloud, not for Azure"),
        (
            manifest("karpenter.sh/v1", "NodePool", of_class(group="karpenter.k8s.aws")),
            "its nodes have a node class for AWS, not for Azure",
        ),
        (
            manifest("karpenter.sh/v1beta1", "NodePool", of_class(apiVersion="karpenter.k8s.aws/v1beta1")),
            "its nodes have a node class for AWS, not for Azure",
        ),
        (
            manifest("karpenter.sh/v1", "NodePool", of_class(group="example.com")),
            "its nodes have a node class for example.com, not for Azure",
        ),
        (
            manifest(
                "apps/v1", "ReplicaSet", ownerReferences=[{"kind": "Deployment", "name": "a", "controller": True}]
            ),
            "created by a Deployment, read from there if passed",
        ),
        (
            manifest(
                "karpenter.sh/v1", "NodePool", ownerReferences=[{"kind": "GpuTenant", "name": "ml", "controller": True}]
            ),
            "GpuTenant ml creates and manages it",
        ),
        (
            manifest("infrastructure.cluster.x-k8s.io/v1beta1", "AzureManagedMachinePool"),
            "a node pool of another controller",
        ),
        (
            manifest("containerservice.azure.upbound.io/v1beta1", "KubernetesClusterNodePool"),
            "a node pool of another controller",
        ),
    ],
)
def test_an_object_that_is_not_adopted(text: str, reason: str) -> None:
    inventory = read(text)
    assert (list(bodies(inventory)), [skipped.reason for skipped in inventory.skipped]) == ([], [reason])


@for_each(
    "text",
    [
        manifest("karpenter.sh/v1", "NodePool"),
        manifest("karpenter.sh/v1", "NodePool", of_class(group="karpenter.azure.com")),
        manifest("karpenter.sh/v1beta1", "NodePool", of_class(apiVersion="karpenter.azure.com/v1alpha2")),
        manifest("example.com/v1", "Secret"),
        manifest("example.com/v1", "KubernetesClusterNodePool"),
        manifest("containerservice.azure.upbound.io/v1beta1", "Other"),
        manifest("infrastructure.cluster.x-k8s.io/v1beta1", "Other"),
        manifest("apps/v1", "Deployment", of_class(group="karpenter.k8s.aws")),
        manifest("apps/v1", "ReplicaSet", ownerReferences=[{"kind": "Set", "name": "a"}]),
        manifest(ASO, "MaintenanceConfiguration", ownerReferences=[{"kind": "Set", "name": "a", "controller": True}]),
    ],
)
def test_an_object_that_is_read(text: str) -> None:
    inventory = read(text)
    assert (len(bodies(inventory)), inventory.skipped, inventory.faults) == (1, (), ())


def test_a_node_pool_of_another_controller_is_a_warning() -> None:
    text = manifest("infrastructure.cluster.x-k8s.io/v1beta1", "AzureManagedMachinePool", namespace="ml")
    name = "AzureManagedMachinePool/ml/gpu"
    assert faults(read(text)) == [f"IMP010 1: {name} describes a node pool for another controller: it is not read"]


@for_each(
    ("kind", "spec", "cluster"),
    [
        ("ManagedCluster", {}, "gpu"),
        ("ManagedCluster", {"azureName": "aks"}, "aks"),
        ("ManagedCluster", "text", ""),
        ("ManagedClustersAgentPool", {"owner": {"name": "aks"}}, "aks"),
        ("ManagedClustersAgentPool", {}, ""),
        ("MaintenanceConfiguration", {"owner": {"name": "aks"}}, ""),
    ],
)
def test_the_cluster_that_an_object_of_azure_service_operator_names(kind: str, spec: Any, cluster: str) -> None:
    assert [each.name for each in read(manifest(ASO, kind, spec)).clusters] == [cluster]


def test_the_pools_inside_a_cluster_of_azure_service_operator() -> None:
    pools = [{"name": "a", "vmSize": "x"}, {"vmSize": "y"}]
    inventory = read(manifest(ASO, "ManagedCluster", {"agentPoolProfiles": pools}))
    assert [observed.name for observed in inventory.clusters[0].objects] == [
        "ManagedCluster/gpu",
        "ManagedCluster/gpu: agentPoolProfiles[0]",
    ]


@for_each(
    ("template", "expected"),
    [
        ({"metadata": {}, "spec": {}}, {"spec": {}}),
        ({"metadata": None, "spec": {}}, {"spec": {}}),
        ({"metadata": {"creationTimestamp": None}, "spec": {}}, {"spec": {}}),
        ({"metadata": {"labels": {"a": "b"}}}, {"metadata": {"labels": {"a": "b"}}}),
        ({"spec": {}}, {"spec": {}}),
    ],
)
def test_metadata_of_a_template_that_a_server_adds_is_not_read(template: Any, expected: Any) -> None:
    (body,) = bodies(read(manifest("apps/v1", "Deployment", {"replicas": 1, "template": template}))).values()
    assert body["spec"] == {"replicas": 1, "template": expected}


@for_each(
    ("meta", "live"),
    [({}, False), ({"uid": "1"}, True), ({"resourceVersion": "1"}, True), ({"generation": 1}, False)],
)
def test_an_object_that_a_server_printed_is_running(meta: Any, live: bool) -> None:
    (observed,) = read(manifest("apps/v1", "Deployment", **meta)).objects()
    assert observed.live == live
