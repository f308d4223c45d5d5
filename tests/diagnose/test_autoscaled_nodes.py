"""Why the cluster autoscaler keeps a node, as the rules of kubernetes/autoscaler say."""

import json
from typing import Any

from gitgpu.diagnose.selected import about_node
from gitgpu.report.diagnosis.text import text
from gitgpu.report.findings import Style
from tests.diagnose.states import of_texts, verdicts
from tests.helping.cases import for_each

NODE, SIZE = "aks-gpu-1", "Standard_NC24ads_A100_v4"
EVICT = "cluster-autoscaler.kubernetes.io/safe-to-evict"
VOLUMES = "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes"
OWNED = [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "chat", "uid": "1", "controller": True}]
CACHE = [{"name": "cache", "emptyDir": {}}]
NO_CONTROLLER = "Pod ml/train: has no owner that is its controller"


def node(**annotations: str) -> dict[str, Any]:
    labels = {"kubernetes.azure.com/agentpool": "gpu", "node.kubernetes.io/instance-type": SIZE}
    amounts = {"cpu": "23", "memory": "200Gi", "pods": "110", "nvidia.com/gpu": "1"}
    metadata = {"name": NODE, "labels": labels, "annotations": annotations}
    ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": ""}
    status = {"capacity": amounts, "allocatable": amounts, "conditions": [ready]}
    return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "spec": {}, "status": status}


def pod(name: str = "train", space: str = "ml", **more: Any) -> dict[str, Any]:
    """A running pod; `more` are keys of its metadata and of its spec."""
    spec = {"nodeName": NODE, "containers": [{"name": "main", "image": "contoso/train:1"}]}
    spec |= {"volumes": more["volumes"]} if "volumes" in more else {}
    metadata: dict[str, Any] = {"name": name, "namespace": space, "labels": {"app": name}}
    metadata |= {key: more[key] for key in ("ownerReferences", "annotations") if key in more}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": "Running"}}


def budget(space: str, allowed: int) -> dict[str, Any]:
    spec = {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "train"}}}
    metadata = {"name": "train", "namespace": space}
    status = {"disruptionsAllowed": allowed}
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": metadata,
        "spec": spec,
        "status": status,
    }


def pools(*, scaled: bool = True, count: int = 2, least: int = 1, **profile: str) -> dict[str, Any]:
    """What `az aks show` prints."""
    pool = {"name": "gpu", "count": count, "vmSize": SIZE, "mode": "User", "osType": "Linux"}
    pool |= {"enableAutoScaling": True, "minCount": least, "maxCount": 4} if scaled else {"enableAutoScaling": False}
    group = "/subscriptions/00000000-0000-0000-0000-000000000000/resourcegroups/rg"
    identifier = f"{group}/providers/Microsoft.ContainerService/managedClusters/prod"
    cluster: dict[str, Any] = {"name": "prod", "id": identifier, "type": "Microsoft.ContainerService/ManagedClusters"}
    return cluster | {"location": "eastus", "autoScalerProfile": profile, "agentPoolProfiles": [pool]}


REST = pools() | {"autoScalerProfile": {"skip-nodes-with-local-storage": "true"}}


def shown(*objects: dict[str, Any]) -> str:
    """What is said about the node."""
    diagnosis = of_texts(*map(json.dumps, objects))
    assert f"Node {NODE}" not in verdicts(diagnosis)  # nothing is wrong with it
    return text(about_node(diagnosis, NODE)[0], Style())


@for_each(
    ("objects", "said"),
    [
        ([node(), pod(), pools()], NO_CONTROLLER),
        ([node(), pod(ownerReferences=[{**OWNED[0], "controller": False}]), pools()], NO_CONTROLLER),
        ([node(), pod()], "if it scales pool gpu, which the dump does not say: a pod has no controller"),
        ([node(), pod(ownerReferences=OWNED, annotations={EVICT: "false"}), pools()], f'{EVICT}: "false"'),
        (
            [node(), pod(ownerReferences=OWNED), budget("ml", 0), pools()],
            "PodDisruptionBudget ml/train allows no eviction",
        ),
        ([node(), pod(space="kube-system", ownerReferences=OWNED), budget("ml", 1), pools()], "no PodDisruptionBudget"),
        ([node(), pools(count=1)], "pool gpu has its least number of nodes, 1"),
        ([node(**{"cluster-autoscaler.kubernetes.io/scale-down-disabled": "true"}), pools()], "scale-down-disabled"),
        (
            [node(), pod(ownerReferences=OWNED, volumes=CACHE), pools(skipNodesWithLocalStorage="true")],
            "volume cache; the profile has skip-nodes-with-local-storage: true",
        ),
        (
            [node(), pod(ownerReferences=OWNED, volumes=CACHE), REST],
            "a pod has local storage",
        ),
    ],
)
def test_what_keeps_a_node(objects: list[dict[str, Any]], said: str) -> None:
    found = shown(*objects)
    assert "the cluster autoscaler does not remove the node" in found
    assert said in found


@for_each(
    "objects",
    [
        [node(), pod(ownerReferences=OWNED), pools()],
        [node(), pod(annotations={EVICT: "true"}), pools()],
        [node(), pod(), pools(scaled=False)],
        [node(), pod(ownerReferences=[{**OWNED[0], "kind": "DaemonSet"}]), pools()],
        [node(), pod(ownerReferences=[{**OWNED[0], "kind": "Node"}]), pools()],
        [node(), pod(ownerReferences=OWNED), budget("ml", 1), pools()],
        [node(), pod(space="kube-system", ownerReferences=OWNED), budget("kube-system", 1), pools()],
        [node(), pod(space="kube-system", ownerReferences=OWNED), pools()],  # whether it has a budget is not known
        [
            node(),
            pod(space="kube-system", ownerReferences=OWNED),
            budget("ml", 1),
            pools(skipNodesWithSystemPods="false"),
        ],
        [node(), pod(ownerReferences=OWNED, volumes=CACHE), pools()],
        [
            node(),
            pod(ownerReferences=OWNED, volumes=CACHE, annotations={VOLUMES: "a, cache"}),
            pools(skipNodesWithLocalStorage="true"),
        ],
        [
            node(),
            pod(ownerReferences=OWNED, volumes=[{"name": "shm", "emptyDir": {"medium": "Memory"}}]),
            pools(skipNodesWithLocalStorage="true"),
        ],
    ],
)
def test_what_does_not_keep_it(objects: list[dict[str, Any]]) -> None:
    assert "cluster autoscaler" not in shown(*objects)


def test_nodes_of_karpenter_are_not_its_own() -> None:
    of_karpenter = node()
    of_karpenter["metadata"]["labels"]["karpenter.sh/nodepool"] = "gpu"
    assert "cluster autoscaler" not in shown(of_karpenter, pod(), pools())
