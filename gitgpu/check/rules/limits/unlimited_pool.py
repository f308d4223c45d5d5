"""A pool should have a limit on GPUs or nodes."""

from collections.abc import Iterator

from gitgpu.check.limits import is_paused, short
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.nodepools:
        if pool.limits.gpus is None and pool.limits.nodes is None and not any(short(pool)) and not is_paused(pool):
            message = f"pool {pool.name} has no limit on GPUs or nodes, so nothing bounds its bill but quota"
            if pool.limits.cpu or pool.limits.memory:
                message = f"pool {pool.name} has no limit on GPUs or nodes, which are what it costs"
            yield Finding(pool.origin, ("spec", "limits"), message, "write limits: {gpus: 8}, or what you would pay")


RULE = Rule(
    code="SKU008",
    name="unlimited-pool",
    severity=Severity.WARNING,
    summary="The pool has no limit on GPUs or nodes.",
    help="Karpenter starts nodes as long as pods wait: a scaler that runs wild or a job with too many replicas is then "
    "bounded by the subscription's quota alone.",
    sources=(
        "https://karpenter.sh/docs/concepts/nodepools/#speclimits",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools",
    ),
    check=_check,
    bad="""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
""",
    good="""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
""",
)
