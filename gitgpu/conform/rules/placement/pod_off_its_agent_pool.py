"""A pod that may only go to node pools of AKS whose taints it does not tolerate."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.node.agent_pools import AgentPool, agent_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.node_constraints import is_readable
from gitgpu.conform.workload.pods import Pod, pods
from gitgpu.diagnostic import Severity
from gitgpu.schedule.requirement import Requirements
from gitgpu.schedule.taint import taint_text, untolerated

_NAMES = ("agentpool", "kubernetes.azure.com/agentpool")


def _check(objects: Objects) -> Iterator[Finding]:
    known = _unique(objects)
    for pod in pods(objects) if known else ():
        if pod.is_daemon or pod.spec.get("nodeName") or not is_readable(pod):
            continue
        terms = [_named(term) for term in pod.terms()]
        if not terms or not all(names and names <= set(known) for names in terms):
            continue
        barred = {name: _taint(pod, known[name]) for names in terms for name in sorted(names)}
        if all(barred.values()):
            name, taint = next(iter(barred.items()))
            message = f"it may only run in node pool {name}, and does not tolerate its taint {taint_text(taint)}"
            yield Finding(pod.item, (*pod.pointer, "tolerations"), message, "add a toleration of that taint")


def _unique(objects: Objects) -> dict[str, AgentPool]:
    """The pools by name; of pools of one name, each on another cluster, the pod may mean any."""
    pools = list(agent_pools(objects))
    names = [pool.name for pool in pools]
    return {pool.name: pool for pool in pools if names.count(pool.name) == 1}


def _named(term: Requirements) -> frozenset[str]:
    """The node pools that a term asks for by name; none where it asks for no names."""
    wanted = [term[key] for key in _NAMES if key in term and term[key].operator == "In"]
    return frozenset(wanted[0].values) if wanted else frozenset()


def _taint(pod: Pod, pool: AgentPool) -> Mapping[str, Any]:
    found = untolerated(pool.taints, [one for one in pod.tolerations if one])
    return found[0] if found else {}


RULE = Rule(
    code="POD039",
    name="pod-off-its-agent-pool",
    severity=Severity.ERROR,
    summary="A pod asks for a node pool of AKS by name, and does not tolerate a taint of it.",
    help="A node selector draws a pod to nodes, and does not lift their taints. AKS gives the nodes of a spot pool the "
    "taint kubernetes.azure.com/scalesetpriority=spot:NoSchedule, whatever the pool says. The pod stays Pending.",
    sources=(
        "https://github.com/Azure/AKS/issues/3153",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",
        "https://learn.microsoft.com/azure/aks/spot-node-pool",
    ),
    check=_check,
    bad="""
apiVersion: containerservice.azure.com/v1api20240901
kind: ManagedClustersAgentPool
metadata: {name: gpuspot, namespace: fleet}
spec: {owner: {name: prod}, vmSize: Standard_NC24ads_A100_v4, scaleSetPriority: Spot, mode: User, count: 1}
---
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  nodeSelector: {kubernetes.azure.com/agentpool: gpuspot}
  tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
  containers: [{name: main, image: "registry.contoso.com/trainer:1.4.0"}]
""",
    good="""
apiVersion: containerservice.azure.com/v1api20240901
kind: ManagedClustersAgentPool
metadata: {name: gpuspot, namespace: fleet}
spec: {owner: {name: prod}, vmSize: Standard_NC24ads_A100_v4, scaleSetPriority: Spot, mode: User, count: 1}
---
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  nodeSelector: {kubernetes.azure.com/agentpool: gpuspot}
  tolerations: [{key: kubernetes.azure.com/scalesetpriority, operator: Equal, value: spot, effect: NoSchedule}]
  containers: [{name: main, image: "registry.contoso.com/trainer:1.4.0"}]
""",
)
