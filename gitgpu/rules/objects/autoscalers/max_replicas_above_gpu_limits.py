"""A scaler whose maximum replicas need more GPUs than the NodePools allow."""

from collections.abc import Iterator
from decimal import Decimal

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import SCALED_OBJECT
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.node.agent_pools import has_agent_pools
from gitgpu.objects.node.node_pools import foreign_pools, matching, node_pools
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import autoscalers, scaled_objects, scaled_pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import count_text


def _check(objects: Objects) -> Iterator[Finding]:
    scaling = (*scaled_objects(objects), *autoscalers(objects))
    allowed = _allowed(objects) if scaling else None
    if allowed is None:
        return
    for item in scaling:
        key = "maxReplicaCount" if item.identity.kind == SCALED_OBJECT.kind else "maxReplicas"
        maximum = item.body["spec"].get(key)
        pod = scaled_pods(item, objects)
        each = pod.requests().get(NVIDIA_GPU, Decimal(0)) if pod else Decimal(0)
        if maximum and each > 0 and each * maximum > allowed >= 0:  # CNF006 reports negative limits
            yield _finding(item, key, maximum, each, allowed)


def _finding(item: Item, key: str, maximum: int, each: Decimal, allowed: Decimal) -> Finding:
    one_pod, all_pods = count_text(int(each), "GPU"), count_text(int(each * maximum), "GPU")
    message = (
        f"{key} {maximum} with {one_pod} each needs {all_pods}, but the limits of all NodePools add up to {allowed}"
    )
    replicas = int(allowed // each)
    bound = f"set {key}: {replicas} or less, or " if replicas else ""
    return Finding(item, ("spec", key), message, f"{bound}raise the limits of a NodePool")


def _allowed(objects: Objects) -> Decimal | None:
    """The sum of the GPU limits of all NodePools; None if not all have one."""
    pools = [pool for pool in node_pools(objects) if pool.for_gpus or matching(pool, objects)]
    # Nodes of other clouds and of AKS node pools are not limited by these NodePools.
    if not pools or foreign_pools(objects) or has_agent_pools(objects):
        return None
    try:
        limits = [quantity(pool.limits[NVIDIA_GPU]) for pool in pools]
    # A NodePool without a limit allows any number.
    except (KeyError, ValueError):
        return None
    return sum(limits, Decimal(0))


RULE = Rule(
    code="KED021",
    name="max-replicas-above-gpu-limits",
    twin="SCL008",
    severity=Severity.WARNING,
    summary="A workload can scale to more GPUs than the limits of all NodePools allow.",
    help="Replicas beyond the limits stay Pending, and the scaler continues to request them.",
    sources=(
        "https://karpenter.sh/docs/concepts/nodepools/#speclimits",
        "https://keda.sh/docs/2.18/reference/scaledobject-spec/",
    ),
    check=_check,
)
