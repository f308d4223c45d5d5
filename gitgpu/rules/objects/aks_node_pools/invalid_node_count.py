"""Node counts that AKS rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_LIMITS = ("minCount", "maxCount")


def _check(objects: Objects) -> Iterator[Finding]:
    nodes = objects.catalog.must("pools", "aks")["nodes"]
    for pool in agent_pools(objects):
        minimum = nodes["system"] if pool.spec.get("mode") == "System" else 0
        faults = _with_autoscaler(pool) if pool.spec.get("enableAutoScaling") is True else _without_autoscaler(pool)
        for fault in (*faults, *_outside(pool, minimum, nodes["most"])):
            yield Finding(pool.item, *fault)


def _without_autoscaler(pool: AgentPool) -> Iterator[tuple[Pointer, str, str]]:
    for field in _LIMITS:
        if pool.spec.get(field) is not None:
            message = f"{field} needs the cluster autoscaler, which is off for this pool"
            other = next((other for other in _LIMITS if other != field and pool.spec.get(other) is None), "")
            also = f" and add {other}" if other else ""
            yield pool.place(field), message, f"set enableAutoScaling: true{also}, or remove {field}"


def _with_autoscaler(pool: AgentPool) -> Iterator[tuple[Pointer, str, str]]:
    place = pool.place("enableAutoScaling")
    missing_fields = [field for field in _LIMITS if pool.spec.get(field) is None]
    low, high = (pool.spec.get(field) for field in _LIMITS)
    if missing_fields:
        yield (
            place,
            f"enableAutoScaling is true without {' and '.join(missing_fields)}",
            f"add {' and '.join(missing_fields)}",
        )
    elif low is not None and high is not None and low > high:
        yield pool.place("minCount"), f"minCount {low} is greater than maxCount {high}", f"use {high} or less"


def _outside(pool: AgentPool, minimum: int, maximum: int) -> Iterator[tuple[Pointer, str, str]]:
    for field in ("count", *_LIMITS):
        value = pool.spec.get(field)
        if value is not None and not minimum <= value <= maximum:
            message = f"{field} is {value}; this pool can have {minimum} to {maximum} nodes"
            yield pool.place(field), message, f"use a number from {minimum} to {maximum}"


RULE = Rule(
    code="APL006",
    name="invalid-node-count",
    twin="AGP008",
    severity=Severity.ERROR,
    summary="An AKS node pool has autoscaler limits without the autoscaler, the autoscaler without limits, or counts "
    "out of range.",
    help="AKS accepts minCount and maxCount only with enableAutoScaling. A system pool keeps at least one node.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-system-pools.md",
        "https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update",
    ),
    facts=("pools/aks",),
    check=_check,
)
