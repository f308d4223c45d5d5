"""One AKSNodeClass for several GPU NodePools."""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import MANAGED_BY_LABEL
from gitgpu.objects.node.candidate_sizes import own_class
from gitgpu.objects.node.node_pools import SPEC, NodePool, node_pools
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    users: dict[str, list[NodePool]] = {}
    for pool in node_pools(objects):
        owner = own_class(pool, objects)
        if owner and pool.for_gpus and not _is_ours(owner):
            users.setdefault(owner.identity.name, []).append(pool)
    for name, (first, *others) in users.items():
        for pool in others:
            message = f"NodePool {first.name} also uses AKSNodeClass {name}: a change to it replaces the nodes of both"
            yield Finding(pool.item, (*SPEC, "nodeClassRef", "name"), message, "give each its own AKSNodeClass")


def _is_ours(item: Item) -> bool:
    """Whether gitgpu generated the class. Pools share such a class only if their spec names it."""
    labels = mapping_at(item.body, "metadata", "labels")
    return labels.get(MANAGED_BY_LABEL) == "gitgpu"


RULE = Rule(
    code="NPS019",
    name="shared-node-class",
    severity=Severity.INFO,
    summary="Two GPU NodePools share one AKSNodeClass.",
    help="Every change to an AKSNodeClass except its tags replaces all nodes that use it. Sharing one works, and can "
    "be intended for spot and on-demand nodes of one size. For different GPUs, a change replaces more nodes than "
    "expected.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/cloudprovider/drift.go",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-aksnodeclass",
    ),
    check=_check,
)
