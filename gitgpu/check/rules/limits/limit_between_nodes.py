"""A limit on GPUs should be a number of whole nodes."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h200}
spec:
  clusters: [prod-swc]
  sku: Standard_ND96isr_H200_v5
  limits: {gpus: 20}
"""
GOOD = BAD.replace("gpus: 20", "gpus: 24")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose nodes all have one number of GPUs, of which the limit is no multiple."""
    for pool in inputs.pools:
        counts = {sku.counted_gpus for sku in pool.skus}
        limit, gpus = pool.limits.gpus, (next(iter(counts)) if len(counts) == 1 else None)
        if limit and gpus and limit > gpus and limit % gpus:
            message = f"limits.gpus is {limit}, and each node has {gpus}: no more than {limit - limit % gpus} can run"
            remedy = f"write gpus: {limit - limit % gpus}, or {limit - limit % gpus + gpus}"
            yield Finding(pool.origin, ("spec", "limits", "gpus"), message, remedy)


RULE = Rule(
    code="SKU015",
    name="limit-between-nodes",
    severity=Severity.WARNING,
    summary="The limit on GPUs is no whole number of nodes.",
    help="A limit counts whole nodes: Karpenter starts none that would go over it, so what is left over is never used.",
    sources=(
        "https://karpenter.sh/docs/concepts/nodepools/#speclimits",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
