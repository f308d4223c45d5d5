"""Nodes that are newer than the cluster: Karpenter replaces them again and again.

isK8sVersionDrifted in pkg/cloudprovider/drift.go of Azure/karpenter-provider-azure v1.14.2 compares the kubelet of a
node with status.kubernetesVersion of its AKSNodeClass. A new node has the same newer kubelet: Azure/AKS issue 5899.
"""

from collections.abc import Iterable, Iterator

from gitgpu.access import text_at
from gitgpu.diagnose.cause import NODE_FAULT, Answer, Cause, Evidence, subject_of
from gitgpu.diagnose.nodes.claims import Claim
from gitgpu.diagnose.reading.conditions import condition
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.kinds import AKS_NODE_CLASS, NODE
from gitgpu.model.syntax.version import numbers_in, version
from gitgpu.objects.objects import Item

_DRIFT = "K8sVersionDrift"


def newer_nodes(claims: Iterable[Claim], state: State) -> Iterator[Answer]:
    """The answers about nodes that have drifted because their kubelet is newer than the cluster."""
    classes = {item.identity.name: item for item in state.objects.of(*AKS_NODE_CLASS)}
    nodes = {item.identity.name: item for item in state.objects.of(*NODE)}
    for claim in claims:
        node_class = classes.get(text_at(claim.item.body, "spec", "nodeClassRef", "name"))
        node = nodes.get(claim.node)
        if node and node_class and (answer := _newer(claim, node, node_class, state)):
            yield answer


def _newer(claim: Claim, node: Item, node_class: Item, state: State) -> Answer | None:
    drifted = condition(claim.item, "Drifted")
    wanted = numbers_in(text_at(node_class.body, "status", "kubernetesVersion"))
    has = numbers_in(text_at(node.body, "status", "nodeInfo", "kubeletVersion"))
    if not (drifted and drifted.status == "True" and drifted.reason == _DRIFT and wanted and has):
        return None
    if version(has) <= version(wanted):
        return None  # after an upgrade of the control plane: it is replaced once
    name = node_class.identity.name
    message = f"Karpenter replaces nodes again and again: they have Kubernetes {has}, but AKSNodeClass {name} {wanted}"
    remedy = (
        f"upgrade the control plane to {has}; until then, a disruption budget of the NodePool with nodes: '0' and "
        "reasons: [Drifted] keeps the nodes"
    )
    evidence = (Evidence(f"NodeClaim {claim.name}", str(drifted)),)
    command = "az aks get-upgrades -g GROUP -n CLUSTER -o table"
    cause = Cause(NODE_FAULT, message, remedy, (command,))
    return Answer(subject_of(node), cause, evidence, (node.identity.name,), state.minutes_since(drifted.since))
