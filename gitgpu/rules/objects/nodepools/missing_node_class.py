"""A NodePool that refers to a missing AKSNodeClass."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import AKS_NODE_CLASS, NODE_POOL
from gitgpu.objects.node.node_pools import is_for_aks
from gitgpu.objects.objects import Identity, Objects
from gitgpu.rules.object_rule import Finding, Rule

_CREATED_BY_AKS = "default"  # AKS creates this node class itself


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*NODE_POOL):
        place = ("spec", "template", "spec", "nodeClassRef")
        reference = reach(item.body, *place) or {}
        if not is_for_aks(item.body) or not all(reference.values()):  # another rule reports an empty one
            continue
        if (reference.get("group"), reference.get("kind")) != AKS_NODE_CLASS:
            message = "a NodePool on AKS needs a node class of kind AKSNodeClass in group karpenter.azure.com"
            yield Finding(item, place, message, "set group: karpenter.azure.com and kind: AKSNodeClass")
            continue
        name = reference.get("name", "")
        # A class that is not here may be in other files.
        may_exist = name == _CREATED_BY_AKS or bool(name and not objects.knows(*AKS_NODE_CLASS))
        if not may_exist and Identity(*AKS_NODE_CLASS, "", name) not in objects.present:
            message = f"AKSNodeClass '{name}' is missing"
            yield Finding(item, (*place, "name"), message, "add the AKSNodeClass, or refer to one that exists")


RULE = Rule(
    code="CNF012",
    name="missing-node-class",
    severity=Severity.ERROR,
    summary="A NodePool refers to a node class that is missing in its cluster, or is not an AKSNodeClass.",
    help="Karpenter sets NodeClassReady of such a NodePool to False (NodeClassNotFound) and does not start a node for "
    "it.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/nodepool/readiness/controller.go",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-aksnodeclass",
    ),
    check=_check,
)
