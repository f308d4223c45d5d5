"""A rolling update that needs one more GPU than the NodePool allows."""

from collections.abc import Iterator
from decimal import Decimal
from math import ceil, floor
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import DEPLOYMENT
from gitgpu.model.syntax.quantity import FORM, quantity
from gitgpu.model.syntax.whole_number import whole_number
from gitgpu.objects.node.node_pools import NodePool
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.software.sharing import sharing
from gitgpu.objects.workload.autoscalers import Target, autoscalers, scaled_objects, target
from gitgpu.objects.workload.devices import gpu_devices
from gitgpu.objects.workload.placement import Case, cases, within_limits
from gitgpu.rules.object_rule import Finding, Rule

_DEFAULT = "25%"  # the default of both maxSurge and maxUnavailable


def _check(objects: Objects) -> Iterator[Finding]:
    deployments = [case for case in cases(objects) if case.pod.item.identity[:2] == DEPLOYMENT and not case.is_open]
    # Several pods can use one shared GPU.
    if not deployments or sharing(objects):
        return
    # A scaler changes the number of replicas.
    scaled = {target(scaler) for scaler in (*autoscalers(objects), *scaled_objects(objects))}
    for case in deployments:
        item = case.pod.item
        if Target(*item.identity) not in scaled and _starts_before_it_ends(item):
            yield from _pods_beyond_limits(case, objects)


def _pods_beyond_limits(case: Case, objects: Objects) -> Iterator[Finding]:
    """Deployments whose pods fit into the limits of their NodePools, but not with one extra pod."""
    item = case.pod.item
    pools = {offer.pool.name: offer.pool for offer in within_limits(case, objects)}
    for device, amount in gpu_devices(case.pod, objects).items():
        limits = [_limit(pool, device) for pool in pools.values()]
        finite = [limit for limit in limits if limit is not None]
        if len(finite) < len(limits):
            continue  # a pool without a limit has room for one more pod
        maximum, running = sum(finite), _replicas(item) * amount
        # Pods beyond the limit are Pending without an update, too.
        if 0 < running <= maximum < running + amount:
            names = ", ".join(pools)
            message = (
                f"an update starts a new pod before it stops an old one, and the new pod stays Pending: "
                f"it uses {running} {device}, and the limit of NodePool {names} is {maximum}"
            )
            remedy = f"set spec.strategy: {{type: Recreate}}, or increase the limit of {device} to {running + amount}"
            place = ("spec", "strategy") if reach(item.body, "spec", "strategy") else ("spec",)
            yield Finding(item, place, message, remedy)


def _limit(pool: NodePool, device: str) -> Decimal | None:
    written = str(pool.limits.get(device, ""))
    return quantity(written) if FORM.match(written) else None


def _replicas(item: Item) -> int:
    written = reach(item.body, "spec", "replicas")
    return 1 if written is None else int(written)


def _starts_before_it_ends(item: Item) -> bool:
    """Whether an update adds pods before it stops any. Kubernetes rounds maxSurge up and maxUnavailable down."""
    strategy = mapping_at(item.body, "spec", "strategy")
    rolling = mapping_at(strategy, "rollingUpdate")
    more = _pod_count(rolling.get("maxSurge"), _replicas(item))
    fewer = _pod_count(rolling.get("maxUnavailable"), _replicas(item))
    return strategy.get("type") != "Recreate" and ceil(more) > 0 and floor(fewer) == 0


def _pod_count(written: Any, replicas: int) -> Decimal:
    text = _DEFAULT if written is None else str(written)
    share = Decimal(whole_number(text.removesuffix("%")) or 0)
    return share * replicas / 100 if text.endswith("%") else share


RULE = Rule(
    code="POD047",
    name="rolling-update-without-spare-gpu",
    severity=Severity.WARNING,
    summary="A Deployment uses all GPUs that its NodePool allows, and a rolling update needs one more pod.",
    help="By default, a rolling update of fewer than four replicas starts a new pod before it stops an old one. If "
    "no GPU is free and the limit allows no further node, the new pod stays Pending, the old pod keeps its GPU, and "
    "the update never finishes.",
    sources=(
        "https://github.com/ai-runway/airunway/issues/400",
        "https://github.com/clearml/clearml-helm-charts/pull/19",
        "https://github.com/defilantech/LLMKube/issues/192",
        "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment",
    ),
    check=_check,
)
