"""A limit must leave room for at least one node."""

from collections.abc import Iterator
from decimal import ROUND_CEILING, Decimal

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.quantity import quantity
from gitgpu.model.sku import Sku
from gitgpu.schedule.capacity import GIB, capacity


def _check(inputs: Inputs) -> Iterator[Finding]:
    return (finding for pool in inputs.pools if pool.skus for finding in _faults(pool))


def _faults(pool: Pool) -> Iterator[Finding]:
    limits = pool.limits
    said = {"gpus": limits.gpus, "cpu": limits.cpu, "memory": limits.memory, "nodes": limits.nodes}
    for key, limit in said.items():
        sizes = [(_counted(sku, key), sku.name) for sku in pool.skus] if limit is not None else []
        needs = [(need, name) for need, name in sizes if need is not None]
        if limit is None or len(needs) < len(sizes) or quantity(limit) >= min(needs)[0]:
            continue
        least, name = min(needs)
        shown = f"{_gibibytes(least)}Gi" if key == "memory" else f"{least}"
        message = f"limits.{key} is {limit}, but the smallest node, {name}, counts {shown}: no node can ever start"
        yield Finding(pool.origin, ("spec", "limits", key), message, f"write {key}: {shown} or more")


def _counted(sku: Sku, key: str) -> Decimal | None:
    """What a node counts against a limit; of GPUs what Karpenter counts, not for every size what it has."""
    return Decimal(1) if key == "nodes" else capacity(sku)[sku.resource if key == "gpus" else key]


def _gibibytes(size: Decimal) -> Decimal:
    return (size / GIB).to_integral_value(ROUND_CEILING)


RULE = Rule(
    code="SKU007",
    name="limit-below-one-node",
    severity=Severity.ERROR,
    summary="A limit of the pool is smaller than one node of its smallest size.",
    help="Karpenter drops every size that would go over the limit. A limit counts whole nodes, never parts of one.",
    sources=(
        "https://karpenter.sh/docs/concepts/nodepools/#speclimits",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=_check,
    bad="""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100}
spec:
  clusters: [prod-swc]
  sku: Standard_ND96isr_H100_v5
  limits: {gpus: 4, memory: 1700Gi}
""",
    good="""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100}
spec:
  clusters: [prod-swc]
  sku: Standard_ND96isr_H100_v5
  limits: {gpus: 8, memory: 1800Gi}
""",
)
