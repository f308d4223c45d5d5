"""A NodePool that refers to a missing AKSNodeClass."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.load.access import reach
from gitgpu.model.names.groups import KARPENTER_AZURE_GROUP
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.objects.node.node_pools import is_for_aks
from gitgpu.objects.objects import Identity, Objects
from gitgpu.rules.object_rule import Finding, Rule

_KIND = "AKSNodeClass"
_CREATED_BY_AKS = "default"  # AKS creates this node class itself


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*NODE_POOL):
        place = ("spec", "template", "spec", "nodeClassRef")
        reference = reach(item.body, *place) or {}
        if not is_for_aks(item.body) or not all(reference.values()):  # another rule reports an empty one
            continue
        if (reference.get("group"), reference.get("kind")) != (KARPENTER_AZURE_GROUP, _KIND):
            message = f"a NodePool on AKS needs a node class of kind {_KIND} in group {KARPENTER_AZURE_GROUP}"
            yield Finding(item, place, message, f"set group: {KARPENTER_AZURE_GROUP} and kind: {_KIND}")
            continue
        name = reference.get("name", "")
        # A class that is not here may be in other files.
        may_exist = name == _CREATED_BY_AKS or bool(name and not objects.knows(KARPENTER_AZURE_GROUP, _KIND))
        if not may_exist and Identity(KARPENTER_AZURE_GROUP, _KIND, "", name) not in objects.present:
            message = f"{_KIND} '{name}' is missing"
            yield Finding(item, (*place, "name"), message, f"add the {_KIND}, or refer to one that exists")


RULE = Rule(
    code="CNF012",
    name="missing-node-class",
    severity=Severity.ERROR,
    summary="A NodePool refers to a node class that is missing in its cluster, or is not an AKSNodeClass.",
    help="Karpenter sets NodeClassReady of such a NodePool to False (NodeClassNotFound) and starts no node for it.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/nodepool/readiness/controller.go",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-aksnodeclass",
    ),
    check=_check,
)
