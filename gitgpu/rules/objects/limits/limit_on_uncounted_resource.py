"""A NodePool limit on a resource that Karpenter does not count for its nodes."""

from collections.abc import Iterator, Sequence

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NODE_OVERLAY
from gitgpu.model.size.node_labels import NAMES
from gitgpu.objects.node.node_pools import NodePool, matching, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest


def _check(objects: Objects) -> Iterator[Finding]:
    # A NodeOverlay can add any resource to the capacity that Karpenter expects.
    counted = tuple(objects.catalog.must("labels", "karpenter")["capacity"])
    extra: set[str] = set()
    for item in objects.of(*NODE_OVERLAY):
        extra.update(_capacity(item.body))
    for pool in node_pools(objects):
        for name in pool.limits:
            if name not in counted and name not in extra:
                message = f"Karpenter does not count {name}, so this limit has no effect"
                yield Finding(pool.item, ("spec", "limits", name), message, _remedy(name, pool, counted), at_key=True)
        yield from _other_manufacturer(pool, objects)


def _capacity(body: object) -> list[str]:
    return list(reach(body, "spec", "capacity") or ())


def _remedy(name: str, pool: NodePool, counted: Sequence[str]) -> str:
    closest = nearest(name, counted)
    if closest in pool.limits:
        return "remove it"
    return f"limit {closest}" if closest else f"limit one of: {', '.join(counted)}"


def _other_manufacturer(pool: NodePool, objects: Objects) -> Iterator[Finding]:
    """Limits on GPUs of another manufacturer than all sizes of the pool."""
    limited_names = {name for name in pool.limits if name.endswith(".com/gpu")}
    lists_sizes = any(key in pool.together for key in NAMES)
    # A family can get sizes of another manufacturer later; a list of names cannot.
    if not (limited_names and lists_sizes and pool.for_gpus):
        return
    resources = {sku.resource for sku in matching(pool, objects)}
    if len(resources) == 1 and limited_names.isdisjoint(resources):
        name, right = min(limited_names), resources.pop()
        message = f"the sizes of this NodePool have no {name}, so this limit has no effect"
        yield Finding(pool.item, ("spec", "limits", name), message, f"limit {right}", at_key=True)


RULE = Rule(
    code="NPL017",
    name="limit-on-uncounted-resource",
    severity=Severity.WARNING,
    summary="A NodePool limits a resource that Karpenter does not count for its nodes.",
    help="Karpenter compares limits with the capacity that it expects of a size: cpu, memory, ephemeral-storage, "
    "pods, whole GPUs, and the number of nodes. It accepts other names, such as a MIG profile or a misspelled name, "
    "and ignores them.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
    ),
    facts=("labels/karpenter",),
    check=_check,
)
