"""A NodePool whose AKSNodeClass is not there."""

from collections.abc import Iterator

from gitgpu.conform.node.node_pools import is_for_aks
from gitgpu.conform.objects import Identity, Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

_GROUP, _KIND = "karpenter.azure.com", "AKSNodeClass"
_ALWAYS_THERE = "default"  # AKS makes this one itself


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of("karpenter.sh", "NodePool"):
        place = ("spec", "template", "spec", "nodeClassRef")
        reference = reach(item.body, *place) or {}
        if not is_for_aks(item.body) or not all(reference.values()):  # the API server refuses it: another rule says so
            continue
        if (reference.get("group"), reference.get("kind")) != (_GROUP, _KIND):
            message = f"a NodePool on AKS needs a node class of kind {_KIND} in group {_GROUP}"
            yield Finding(item, place, message, f"write group: {_GROUP} and kind: {_KIND}")
            continue
        name = reference.get("name", "")
        known = name == _ALWAYS_THERE or bool(name and not objects.knows(_GROUP, _KIND))
        if not known and Identity(_GROUP, _KIND, "", name) not in objects.present:
            message = f"there is no {_KIND} '{name}' for this NodePool"
            yield Finding(item, (*place, "name"), message, f"add the {_KIND}, or name one that is there")


RULE = Rule(
    code="CNF012",
    name="missing-node-class",
    severity=Severity.ERROR,
    summary="A NodePool refers to a node class that is not among the objects of its cluster.",
    help="Karpenter sets NodeClassReady of such a NodePool to False (NodeClassNotFound) and starts no node for it.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/nodepool/readiness/controller.go",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-aksnodeclass",
    ),
    check=_check,
    bad="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: t4}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: t4-256gb}
      requirements: []
""",
    good="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: t4}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: t4-256gb}
      requirements: []
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: t4-256gb}
spec: {osDiskSizeGB: 256}
""",
)
