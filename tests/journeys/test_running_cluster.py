"""A cluster with everything at once is imported, built and delivered: nothing on it restarts.

NodePools, reserved node pools with InfiniBand, a GPU Operator on the driver of AKS, KEDA and a scaled model.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.journeys.repository import Repository, repository

Body = dict[str, Any]
ID = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/prod/providers"
CLUSTER_ID = f"{ID}/Microsoft.ContainerService/managedClusters/prod"
GROUP = f"{ID}/Microsoft.Compute/capacityReservationGroups/h100"
RESERVED = {
    "name": "reserved",
    "id": f"{CLUSTER_ID}/agentPools/reserved",
    "vmSize": "Standard_ND96isr_H100_v5",
    "count": 2,
    "enableAutoScaling": False,
    "mode": "User",
    "osType": "Linux",
    "osSku": "Ubuntu2204",
    "osDiskSizeGb": 512,
    "osDiskType": "Managed",
    "maxPods": 110,
    "capacityReservationGroupId": GROUP,
    "nodeTaints": ["nvidia.com/gpu=present:NoSchedule"],
    "nodeLabels": {"team": "research"},
    "provisioningState": "Succeeded",
    "orchestratorVersion": "1.34",
    "type": "VirtualMachineScaleSets",
}
SYSTEM = {**RESERVED, "name": "system", "id": f"{CLUSTER_ID}/agentPools/system", "mode": "System", "count": 3}
SYSTEM |= {"vmSize": "Standard_D4ds_v5", "capacityReservationGroupId": None, "nodeTaints": None, "nodeLabels": None}
AZURE = {
    "name": "prod",
    "id": CLUSTER_ID,
    "type": "Microsoft.ContainerService/ManagedClusters",
    "location": "swedencentral",
    "kubernetesVersion": "1.34",
    "currentKubernetesVersion": "1.34.2",
    "nodeProvisioningProfile": {"mode": "Auto"},
    "agentPoolProfiles": [SYSTEM, RESERVED],
}
TAINT = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
VALUES = {
    "driver": {"enabled": False},
    "toolkit": {"enabled": False},
    "operator": {"runtimeClass": "nvidia-container-runtime"},
    "devicePlugin": {"config": {"name": "sharing", "default": "any"}},
    "dcgmExporter": {"serviceMonitor": {"enabled": True, "additionalLabels": {"release": "kps"}}},
}
KEDA = {"operator": {"replicaCount": 2}, "resources": {"operator": {"limits": {"memory": "1Gi"}}}}


def release(name: str, version: str, values: Body) -> Body:
    """A HelmRelease of Flux."""
    source = {"kind": "HelmRepository", "name": name, "namespace": "flux-system"}
    spec = {"interval": "1h", "chart": {"spec": {"chart": name, "version": version, "sourceRef": source}}}
    return {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {"name": name, "namespace": name},
        "spec": {**spec, "values": values},
    }


def pods(kind: str, name: str, namespace: str, image: str, **more: Any) -> Body:
    """A DaemonSet or a Deployment."""
    labels = {"app": name}
    pod = {"containers": [{"name": name, "image": image, **more.pop("container", {})}], **more.pop("pod", {})}
    template = {"metadata": {"labels": labels}, "spec": pod}
    meta = {"name": name, "namespace": namespace, **more}
    spec = {"selector": {"matchLabels": labels}, "template": template}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": meta, "spec": spec}


def operated(name: str, image: str) -> Body:
    """A DaemonSet that the GPU Operator has created."""
    owner = {
        "apiVersion": "nvidia.com/v1",
        "kind": "ClusterPolicy",
        "name": "cluster-policy",
        "uid": "1",
        "controller": True,
    }
    return pods(
        "DaemonSet",
        name,
        "gpu-operator",
        image,
        ownerReferences=[owner],
        labels={"app.kubernetes.io/managed-by": "gpu-operator"},
        pod={"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]},
    )


NODES: list[Body] = [
    {
        "apiVersion": "karpenter.azure.com/v1beta1",
        "kind": "AKSNodeClass",
        "metadata": {"name": "a100"},
        "spec": {"imageFamily": "Ubuntu2204", "osDiskSizeGB": 256},
    },
    {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "a100"},
        "spec": {
            "limits": {"nvidia.com/gpu": "8"},
            "disruption": {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "10m"},
            "template": {
                "spec": {
                    "expireAfter": "720h",
                    "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "a100"},
                    "requirements": [
                        {
                            "key": "karpenter.azure.com/sku-name",
                            "operator": "In",
                            "values": ["Standard_NC24ads_A100_v4"],
                        },
                        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot", "on-demand"]},
                    ],
                    "taints": [TAINT],
                }
            },
        },
    },
]
SOFTWARE: list[Body] = [
    release("gpu-operator", "v25.10.1", VALUES),
    operated("nvidia-device-plugin-daemonset", "nvcr.io/nvidia/k8s-device-plugin:v0.18.1"),
    operated("nvidia-dcgm-exporter", "nvcr.io/nvidia/k8s/dcgm-exporter:4.4.2-4.7.0-distroless"),
    operated("gpu-feature-discovery", "nvcr.io/nvidia/k8s-device-plugin:v0.18.1"),
    release("keda", "2.18.3", KEDA),
    pods(
        "Deployment", "keda-operator", "keda", "ghcr.io/kedacore/keda:2.18.3", labels={"helm.sh/chart": "keda-2.18.3"}
    ),
]
WORK: list[Body] = [
    pods(
        "Deployment",
        "chat",
        "serving",
        "contoso.azurecr.io/chat:1.0",
        container={"resources": {"limits": {"nvidia.com/gpu": 1}}},
        pod={
            "nodeSelector": {"karpenter.sh/nodepool": "a100"},
            "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
        },
    ),
    {
        "apiVersion": "keda.sh/v1alpha1",
        "kind": "ScaledObject",
        "metadata": {"name": "chat", "namespace": "serving"},
        "spec": {
            "scaleTargetRef": {"name": "chat"},
            "minReplicaCount": 1,
            "maxReplicaCount": 4,
            "triggers": [
                {
                    "type": "prometheus",
                    "metadata": {
                        "serverAddress": "http://prometheus.monitoring:9090",
                        "query": "sum(vllm:num_requests_waiting)",
                        "threshold": "5",
                    },
                }
            ],
        },
    },
]


@pytest.fixture
def work(tmp_path: Path) -> Repository:
    """A repository with the exports of a cluster."""
    made = repository(tmp_path / "work")
    running = made.root / "running"
    running.mkdir()
    (running / "cluster.json").write_text(json.dumps(AZURE), encoding="utf-8")
    for name, bodies in (("nodes", NODES), ("software", SOFTWARE), ("work", WORK)):
        (running / f"{name}.yaml").write_text(yaml.safe_dump_all(bodies), encoding="utf-8")
    return made


def objects(work: Repository) -> Iterator[tuple[str, Body]]:
    """The objects of the overlays of the cluster, with their layer."""
    for path, content in sorted(work.files("overlays/prod").items()):
        layer = path.partition("/")[0]
        if layer != "runbook" and path.count("/") == 1 and not path.endswith("kustomization.yaml"):  # below are patches
            yield layer, yaml.load(content, yaml.CSafeLoader)


def test_nothing_restarts(work: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository_url = "https://github.com/contoso/fleet"
    assert work.gitgpu("import", "running", "--repository", repository_url, "-o", "json") == 0
    report = json.loads(capsys.readouterr().out)
    verdicts = {pool["name"]: (pool["nodes"], pool["software"]) for pool in report["pools"]}
    assert verdicts == {"a100": ("keep", "keep"), "reserved": ("keep", "keep")}
    assert report["software"] == []
    assert work.gitgpu("build", "fleet") == 0
    capsys.readouterr()
    assert work.gitgpu("import", "running", "--check", "--out", "fleet", "-o", "json") == 0
    checked = json.loads(capsys.readouterr().out)
    assert (checked["software"], len(checked["pools"])) == ([], 2)
    delivered = list(objects(work))
    # Neither GPU software nor anything else with pods: a second plugin would register the GPUs twice.
    assert [body["metadata"]["name"] for _, body in delivered if body["kind"] in ("DaemonSet", "Deployment")] == []
    charts = {body["metadata"]["name"]: body["spec"] for _, body in delivered if body["kind"] == "HelmRelease"}
    assert set(charts) == {"keda"}
    assert charts["keda"]["chart"]["spec"]["version"] == "2.18.3"
    assert charts["keda"]["values"] == KEDA
    [pool] = [body for _, body in delivered if body["kind"] == "NodePool"]
    assert pool["spec"]["template"]["spec"]["taints"] == [TAINT]
    [reserved] = [body["spec"] for _, body in delivered if body["kind"] == "ManagedClustersAgentPool"]
    assert (reserved["count"], reserved["capacityReservationGroupReference"]) == (2, {"armId": GROUP})


def test_a_change_of_the_cluster_is_seen_by_the_check(work: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    """Another KEDA runs than when the fleet was written: its build would replace it."""
    assert work.gitgpu("import", "running", "--repository", "https://github.com/contoso/fleet") == 0
    path = work.root / "running/software.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("2.18.3", "2.19.0"), encoding="utf-8")
    capsys.readouterr()
    work.gitgpu("import", "running", "--check", "--out", "fleet", "-o", "json")
    [change] = json.loads(capsys.readouterr().out)["software"]
    assert (change["effect"], "2.18.3" in change["reason"]) == ("downgrade", True)
