"""A rolling update that needs one more GPU than the NodePool may have."""

from collections.abc import Iterator
from decimal import Decimal
from math import ceil, floor
from typing import Any

from gitgpu.conform.node.node_pools import NodePool
from gitgpu.conform.objects import Item, Objects, mapping, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.software.sharing import sharing
from gitgpu.conform.workload.autoscalers import Target, autoscalers, scaled_objects, target
from gitgpu.conform.workload.placement import Case, allowed, cases, gpu_devices
from gitgpu.diagnostic import Severity
from gitgpu.model.quantity import FORM, quantity

_DEPLOYMENT = ("apps", "Deployment")
_USUAL = "25%"  # of both maxSurge and maxUnavailable
BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  limits: {nvidia.com/gpu: 1}
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec:
  replicas: 1
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      nodeSelector: {karpenter.sh/nodepool: a100}
      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
      containers:
      - name: main
        image: contoso.azurecr.io/chat:1.0
        resources: {limits: {nvidia.com/gpu: 1}}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    found = [case for case in cases(objects) if case.pod.item.identity[:2] == _DEPLOYMENT and not case.is_open]
    if not found or sharing(objects):
        return
    scaled = {target(one) for one in (*autoscalers(objects), *scaled_objects(objects))}
    for case in found:
        item = case.pod.item
        if Target(*item.identity) not in scaled and _starts_before_it_ends(item):
            yield from _short(case, objects)


def _short(case: Case, objects: Objects) -> Iterator[Finding]:
    """The NodePools hold what runs, and not one pod more."""
    item = case.pod.item
    pools = {one.pool.name: one.pool for one in allowed(case, objects)}
    for device, amount in gpu_devices(case.pod, objects).items():
        limits = [_limit(pool, device) for pool in pools.values()]
        if not limits or None in limits:
            continue
        most, running = sum(limit for limit in limits if limit is not None), _replicas(item) * amount
        if 0 < running <= most < running + amount:
            names = ", ".join(pools)
            message = (
                f"an update starts a pod before it ends one, and that pod stays Pending: {running} of {device} are in "
                f"use, and NodePool {names} stops at {most}"
            )
            remedy = f"write spec.strategy: {{type: Recreate}}, or raise the limit of {device} to {running + amount}"
            yield Finding(
                item, ("spec", "strategy") if reach(item.body, "spec", "strategy") else ("spec",), message, remedy
            )


def _limit(pool: NodePool, device: str) -> Decimal | None:
    written = str(pool.limits.get(device, ""))
    return quantity(written) if FORM.match(written) else None


def _replicas(item: Item) -> int:
    written = reach(item.body, "spec", "replicas")
    return 1 if written is None else int(written)


def _starts_before_it_ends(item: Item) -> bool:
    """Does an update add pods, and end none until they are ready? Shares are rounded up for the one, else down."""
    strategy = mapping(reach(item.body, "spec", "strategy"))
    rolling = mapping(strategy.get("rollingUpdate"))
    more = _part(rolling.get("maxSurge"), _replicas(item))
    fewer = _part(rolling.get("maxUnavailable"), _replicas(item))
    return strategy.get("type") != "Recreate" and ceil(more) > 0 and floor(fewer) == 0


def _part(written: Any, replicas: int) -> Decimal:
    text = _USUAL if written is None else str(written)
    share = text.removesuffix("%")
    if not share.isdecimal():
        return Decimal(0)
    return Decimal(share) * replicas / 100 if text.endswith("%") else Decimal(share)


RULE = Rule(
    code="POD047",
    name="update-without-spare-gpu",
    severity=Severity.WARNING,
    summary="A Deployment uses all GPUs that its NodePool may have, and an update needs one pod more.",
    help="A rolling update of fewer than four replicas starts a new pod before it ends an old one, unless the "
    "Deployment says otherwise. Where no GPU is left and the limit forbids another node, the new pod stays Pending, "
    "the old pod keeps its GPU, and the update never ends.",
    sources=(
        "https://github.com/ai-runway/airunway/issues/400",
        "https://github.com/clearml/clearml-helm-charts/pull/19",
        "https://github.com/defilantech/LLMKube/issues/192",
        "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("  replicas: 1\n", "  replicas: 1\n  strategy: {type: Recreate}\n"),
)
