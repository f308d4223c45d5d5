"""A limit that is smaller than one node."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.node.candidate_sizes import candidates, is_decided
from gitgpu.objects.node.node_pools import NodePool, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.capacity import as_limit, capacity


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        # A pool that can use a size outside the catalog may have a smaller node.
        sizes = candidates(pool, objects) if pool.limits and is_decided(pool, objects) else ()
        names = tuple(sku.name for sku in sizes)
        if not sizes:
            continue
        for key, limit in pool.limits.items():
            minimum = objects.once_per_run(("least", key, names), partial(_minimum, key, sizes))
            room = _amount(limit)
            if minimum and room is not None and 0 < room < minimum[0]:  # a limit of 0 turns the NodePool off on purpose
                yield _finding(pool, key, *minimum)


def _minimum(key: str, sizes: Sequence[Sku]) -> tuple[Decimal, str] | None:
    """The smallest capacity of the sizes and the name of that size; None if a capacity is unknown."""
    needs = [(capacity(sku).get(key), sku.name) for sku in sizes]
    counted = [(need, name) for need, name in needs if need is not None]
    return min(counted) if len(counted) == len(needs) else None


def _finding(pool: NodePool, key: str, minimum: Decimal, name: str) -> Finding:
    shown = as_limit(key, minimum)
    limit = pool.limits[key]
    message = f"the limit on {key} is {limit}, but the smallest node, {name}, has {shown}: no node can start"
    return Finding(pool.item, ("spec", "limits", key), message, f"use {shown} or more")


def _amount(limit: str | int) -> Decimal | None:
    try:
        return quantity(limit)
    except ValueError:
        return None


RULE = Rule(
    code="NPS015",
    name="limit-below-one-node",
    twin="SKU007",
    severity=Severity.ERROR,
    summary="A limit of a NodePool is smaller than one node of its smallest size.",
    help="Karpenter excludes every size that would exceed the limit. A limit counts whole nodes, never parts of one.",
    sources=(
        "https://karpenter.sh/docs/concepts/nodepools/#speclimits",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=_check,
)
