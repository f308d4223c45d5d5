"""A limit on GPUs that is not a whole number of nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import count_text


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose nodes all have the same number of GPUs, and whose limit is not a multiple of it."""
    for pool in inputs.pools:
        counts = {sku.counted_gpus for sku in pool.skus}
        limit, gpus = pool.limits.gpus, (next(iter(counts)) if len(counts) == 1 else None)
        # SKU007 reports a limit below one node.
        if limit and gpus and limit > gpus and limit % gpus:
            usable = limit - limit % gpus
            message = f"limits.gpus is {limit}, but each node has {gpus}: at most {count_text(usable, 'GPU')} can run"
            remedy = f"set gpus: {usable}, or {usable + gpus}"
            yield Finding(pool.origin, ("spec", "limits", "gpus"), message, remedy)


RULE = Rule(
    code="SKU015",
    name="limit-not-whole-nodes",
    severity=Severity.WARNING,
    summary="The limit on GPUs is not a whole number of nodes.",
    help="A limit counts whole nodes: Karpenter does not start a node that would exceed it, so the rest is never used.",
    sources=(
        "https://karpenter.sh/docs/concepts/nodepools/#speclimits",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
    ),
    check=_check,
)
