"""Objects and steps of situations."""

from typing import Any, NamedTuple

Body = dict[str, Any]
A100, H100, T4 = "Standard_NC24ads_A100_v4", "Standard_ND96isr_H100_v5", "Standard_NC4as_T4_v3"
GPU = "nvidia.com/gpu"
SKU_TAINT = {"key": "sku", "value": "gpu", "effect": "NoSchedule"}
REGION = "eastus"


class Situation(NamedTuple):
    """A cluster with what happens there, and what must be said about it: as `Expected` of tests/diagnose/states.py."""

    body: Body
    verdicts: dict[str, str]
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


# A node of the system node pool, which every cluster has.
SYSTEM_NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {
        "name": "aks-system-00001",
        "labels": {
            "kubernetes.io/hostname": "aks-system-00001",
            "kubernetes.io/os": "linux",
            "kubernetes.io/arch": "amd64",
            "kubernetes.azure.com/mode": "system",
            "node.kubernetes.io/instance-type": "Standard_D4s_v5",
            "topology.kubernetes.io/region": REGION,
            "topology.kubernetes.io/zone": f"{REGION}-1",
        },
    },
    "spec": {
        "providerID": "azure:///system-00001",
        "taints": [{"key": "CriticalAddonsOnly", "value": "true", "effect": "NoSchedule"}],
    },
    "status": {
        "capacity": {"cpu": "4", "memory": "16Gi", "pods": "250"},
        "allocatable": {"cpu": "3860m", "memory": "13Gi", "pods": "250"},
        "conditions": [
            {
                "type": "Ready",
                "status": "True",
                "reason": "KubeletReady",
                "message": "kubelet is posting ready status",
                "lastTransitionTime": "2026-01-01T00:00:00Z",
                "lastHeartbeatTime": "2026-01-01T00:00:00Z",
            }
        ],
        "nodeInfo": {"kubeletVersion": "v1.34.1", "operatingSystem": "linux", "architecture": "amd64"},
    },
}


def situation(
    *steps: Body,
    pools: list[Body] | None = None,
    pods: list[Body] | None = None,
    others: tuple[Body, ...] = (),
    **more: Any,
) -> Body:
    """A cluster with one NodePool and its node class, and the steps that follow."""
    given = {
        "region": REGION,
        "nodeclasses": [node_class()],
        "nodepools": pools or [node_pool()],
        "daemonsets": [plugin()],
        "pods": [pod()] if pods is None else pods,
        "others": [SYSTEM_NODE, *others],
        "steps": list(steps),
    }
    return {**given, **more}


def node_class(name: str = "gpu", **conditions: str) -> Body:
    """An AKSNodeClass; `Reason="message"` makes it not Ready."""
    ready = {"type": "Ready", "status": "True", "reason": "Ready", "message": ""}
    for reason, message in conditions.items():
        ready = {**ready, "status": "False", "reason": reason, "message": message}
    return {
        "apiVersion": "karpenter.azure.com/v1beta1",
        "kind": "AKSNodeClass",
        "metadata": {"name": name, "uid": f"class-{name}"},
        "spec": {"imageFamily": "Ubuntu2204"},
        "status": {
            "conditions": [{**ready, "lastTransitionTime": "2026-01-01T00:00:00Z"}],
            "kubernetesVersion": "1.34.1",
        },
    }


def node_pool(
    name: str = "gpu",
    sizes: tuple[str, ...] = (A100,),
    zones: tuple[str, ...] = (),
    capacity: str = "on-demand",
    template: Body | None = None,
    **spec: Any,
) -> Body:
    """A NodePool of some sizes with the taint sku=gpu."""
    requirements = [
        {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": list(sizes)},
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": [capacity]},
        {"key": "kubernetes.io/os", "operator": "In", "values": ["linux"]},
    ]
    if zones:
        requirements.append({"key": "topology.kubernetes.io/zone", "operator": "In", "values": list(zones)})
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": name},
        "spec": {
            "template": {
                "spec": {
                    "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"},
                    "expireAfter": "720h",
                    "taints": [SKU_TAINT],
                    "requirements": requirements,
                    **(template or {}),
                }
            },
            "disruption": {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "1m"},
            **spec,
        },
    }


def pod(name: str = "chat-0", gpus: int = 1, owner: str | None = "chat", **more: Any) -> Body:
    """A pod that asks for GPUs and tolerates the taint sku=gpu. `metadata` and other keys of its spec can be given."""
    metadata = {"name": name, "namespace": "ml", "labels": {"app": owner or name}, **more.pop("metadata", {})}
    if owner:
        reference = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": f"{owner}-5c8d", "uid": f"set-{owner}"}
        metadata["ownerReferences"] = [{**reference, "controller": True}]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": {
            "containers": [
                {
                    "name": "main",
                    "image": "nvcr.io/nvidia/vllm:25.09",
                    "resources": {"requests": {"cpu": "4", "memory": "16Gi"}, "limits": {GPU: str(gpus)}},
                }
            ],
            "tolerations": [{"key": "sku", "operator": "Exists"}],
            **more,
        },
    }


def plugin(tolerations: list[Body] | None = None) -> Body:
    """The DaemonSet of NVIDIA's device plugin; it tolerates the taint sku if nothing else is given."""
    name = "nvidia-device-plugin-daemonset"
    path = {"name": "plugins", "hostPath": {"path": "/var/lib/kubelet/device-plugins"}}
    container = {
        "name": "plugin",
        "image": "nvcr.io/nvidia/k8s-device-plugin:v0.18.0",
        "volumeMounts": [{"name": "plugins", "mountPath": "/var/lib/kubelet/device-plugins"}],
    }
    accepted = [{"key": "sku", "operator": "Exists"}] if tolerations is None else tolerations
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": name, "namespace": "kube-system"},
        "spec": {
            "selector": {"matchLabels": {"name": name}},
            "template": {
                "metadata": {"labels": {"name": name}},
                "spec": {"containers": [container], "volumes": [path], "tolerations": accepted},
            },
        },
    }


def budget(allowed: int = 0) -> Body:
    """A PodDisruptionBudget of app=chat, with the status that kube-controller-manager writes."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "chat", "namespace": "ml"},
        "spec": {"maxUnavailable": allowed, "selector": {"matchLabels": {"app": "chat"}}},
        "status": {
            "disruptionsAllowed": allowed,
            "currentHealthy": 1,
            "desiredHealthy": 1 - allowed,
            "expectedPods": 1,
            "observedGeneration": 1,
        },
    }


# Steps.
PROVISION, LIFECYCLE, BIND = {"do": "provision"}, {"do": "lifecycle"}, {"do": "bind"}
DISRUPT, DRAIN, EXPIRE = {"do": "disrupt"}, {"do": "drain"}, {"do": "expire"}
JOIN_WITHOUT = {"join": {"resources": {GPU: "0"}}}
JOIN_NOT_READY = {"join": {"resources": {GPU: "0"}, "silent": True}}
LAUNCH = (PROVISION, LIFECYCLE)


def wait(length: str) -> Body:
    """Time passes."""
    return {"wait": length}


def join(gpus: int = 1, **more: Any) -> Body:
    """The VMs join the cluster, and their device plugins have registered the GPUs."""
    return {"join": {"resources": {GPU: str(gpus)}, **more}}


def refuse(kind: str, message: str, reason: str = "", **more: str) -> Body:
    """Azure refuses from now on."""
    return {"refuse": {"kind": kind, "reason": reason, "message": message, **more}}


def change(kind: str, name: str, patch: Body, namespace: str = "") -> Body:
    """An object changes."""
    return {"change": {"kind": kind, "name": name, "namespace": namespace, "patch": patch}}


def delete(kind: str, name: str, namespace: str = "") -> Body:
    """An object is deleted."""
    return {"delete": {"kind": kind, "name": name, "namespace": namespace}}


# A cluster on which the first pod runs on the first node.
RUNNING = (*LAUNCH, wait("2m"), join(), LIFECYCLE, LIFECYCLE, BIND)
