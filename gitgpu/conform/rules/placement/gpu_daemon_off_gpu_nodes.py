"""A device plugin or exporter that a taint keeps off the GPU nodes that it selects."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.conform.node.agent_pools import AgentPool, agent_pools
from gitgpu.conform.node.gpu_pools import gpu_pools
from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.software.coverage import FOUND, chooses
from gitgpu.conform.software.daemons import Daemon, daemons
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import SPOT
from gitgpu.schedule.requirement import ABSENT, Requirements
from gitgpu.schedule.taint import taint_text, untolerated

_PARTS = {"device-plugin": "the nodes never advertise GPUs", "dcgm-exporter": "nothing reports their GPUs"}
_MANAGED = "enablemanagedgpuexperience"
_MAY = (FOUND, "nvidia.com/", "kubernetes.io/", "kubernetes.azure.com/", "beta.kubernetes.io/", "node.kubernetes.io/")


class _Nodes(NamedTuple):
    title: str
    taints: list[Mapping[str, Any]]
    chosen: bool


def _check(objects: Objects) -> Iterator[Finding]:
    for part, harm in _PARTS.items():
        owners = list(daemons(objects, part))
        if not owners or any(one.pod is None or not one.sure or one.cluster for one in owners):
            continue
        for nodes, owner in _missed(part, owners, objects):
            taint = untolerated(nodes.taints, owner.pod.tolerations)[0] if owner.pod else {}
            message = f"it does not tolerate the taint {taint_text(taint)} of {nodes.title}: {harm}"
            yield Finding(owner.item, owner.pointer, message, f"let {owner.title} tolerate the taint")


def _missed(part: str, owners: list[Daemon], objects: Objects) -> Iterator[tuple[_Nodes, Daemon]]:
    """The GPU nodes that no daemon of a part gets onto, with one that wants to."""
    wanting = [(one, list(_wanted(one, part, objects))) for one in owners]
    by_title: dict[str, list[tuple[_Nodes, Daemon]]] = {}
    for one, found in wanting:
        for nodes in found:
            by_title.setdefault(nodes.title, []).append((nodes, one))
    for pairs in by_title.values():
        meant = [(nodes, one) for nodes, one in pairs if nodes.chosen]
        if meant and all(not nodes.chosen or untolerated(nodes.taints, _tolerated(one)) for nodes, one in pairs):
            yield meant[0]


def _tolerated(one: Daemon) -> list[Mapping[str, Any]]:
    return one.pod.tolerations if one.pod else []


def _wanted(one: Daemon, part: str, objects: Objects) -> Iterator[_Nodes]:
    """The NVIDIA nodes that are here, and whether the daemon selects them, taints apart."""
    pod = one.pod
    if not pod:
        return
    if part != "device-plugin":  # of that another rule speaks
        for pool in gpu_pools(objects):
            if pool.maker == "nvidia" and not pool.managed:
                chosen = chooses(pod, pool, objects) is True
                yield _Nodes(f"NodePool {pool.name}", list(pool.pool.taints), chosen)
    mine = [pool for pool in agent_pools(objects) if _is_nvidia(pool, objects)]
    for own in mine if len({_owner(pool) for pool in agent_pools(objects)}) == 1 else ():
        labels = _labels(own)
        told_off = any(labels.get(key) == value for key, value in one.opt_out.items())
        chosen = not told_off and any(_fits(term, labels) for term in pod.terms())
        yield _Nodes(f"node pool {own.name}", list(own.taints), chosen)


def _is_nvidia(pool: AgentPool, objects: Objects) -> bool:
    makers = {sku.manufacturer if sku and sku.counted_gpus else "" for _, _, sku in pool.sizes(objects)}
    tagged = any(key.lower() == _MANAGED for key in pool.spec.get("tags") or {})
    return makers == {"nvidia"} and pool.os_type == "Linux" and not tagged and pool.installs_driver


def _owner(pool: AgentPool) -> str:
    return str(reach(pool.spec, "owner", "name") or pool.item.identity)


def _labels(pool: AgentPool) -> dict[str, str]:
    """The labels of its nodes that AKS or the pool sets."""
    own = {"agentpool": pool.name, "kubernetes.azure.com/agentpool": pool.name, "accelerator": "nvidia"}
    known = {"kubernetes.azure.com/accelerator": "nvidia", "kubernetes.io/os": "linux"}
    priority = {SPOT.key: SPOT.value if pool.is_spot else "regular"}
    written = {str(key): str(value) for key, value in (pool.spec.get("nodeLabels") or {}).items()}
    return {**own, **known, **priority, **written}


def _fits(term: Requirements, labels: Mapping[str, str]) -> bool:
    """May nodes with these labels and others, which AKS or the software on them sets, meet the term?"""
    for key, wanted in term.items():
        if key in labels:
            if not wanted.takes(labels[key]):
                return False
        elif not key.startswith(_MAY) and wanted.operator not in ABSENT:
            return False
    return True


RULE = Rule(
    code="POD036",
    name="gpu-daemon-off-gpu-nodes",
    severity=Severity.WARNING,
    summary="A device plugin or DCGM exporter selects GPU nodes and does not tolerate their taint.",
    help="A DaemonSet makes no pod for a node whose taint it does not tolerate. AKS gives the nodes of a spot pool the "
    "taint kubernetes.azure.com/scalesetpriority=spot:NoSchedule by itself, and the manifests that everybody copies "
    "tolerate nvidia.com/gpu alone.",
    sources=(
        "https://github.com/Azure/AKS/issues/3153",
        "https://github.com/Azure/AKS/issues/4418",
        "https://github.com/MicrosoftDocs/azure-aks-docs/pull/138",
        "https://learn.microsoft.com/azure/aks/spot-node-pool",
    ),
    check=_check,
    bad="""
apiVersion: containerservice.azure.com/v1api20240901
kind: ManagedClustersAgentPool
metadata: {name: gpuspot, namespace: fleet}
spec:
  owner: {name: prod}
  vmSize: Standard_NC24ads_A100_v4
  scaleSetPriority: Spot
  mode: User
  count: 1
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: nvidia-device-plugin, namespace: gpu-resources}
spec:
  selector: {matchLabels: {app: nvidia-device-plugin}}
  template:
    metadata: {labels: {app: nvidia-device-plugin}}
    spec:
      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
      containers:
      - name: main
        image: nvcr.io/nvidia/k8s-device-plugin:v0.19.3
        volumeMounts: [{name: sockets, mountPath: /var/lib/kubelet/device-plugins}]
      volumes: [{name: sockets, hostPath: {path: /var/lib/kubelet/device-plugins}}]
""",
    good="""
apiVersion: containerservice.azure.com/v1api20240901
kind: ManagedClustersAgentPool
metadata: {name: gpuspot, namespace: fleet}
spec:
  owner: {name: prod}
  vmSize: Standard_NC24ads_A100_v4
  scaleSetPriority: Spot
  mode: User
  count: 1
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: nvidia-device-plugin, namespace: gpu-resources}
spec:
  selector: {matchLabels: {app: nvidia-device-plugin}}
  template:
    metadata: {labels: {app: nvidia-device-plugin}}
    spec:
      tolerations:
      - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}
      - {key: kubernetes.azure.com/scalesetpriority, operator: Equal, value: spot, effect: NoSchedule}
      containers:
      - name: main
        image: nvcr.io/nvidia/k8s-device-plugin:v0.19.3
        volumeMounts: [{name: sockets, mountPath: /var/lib/kubelet/device-plugins}]
      volumes: [{name: sockets, hostPath: {path: /var/lib/kubelet/device-plugins}}]
""",
)
