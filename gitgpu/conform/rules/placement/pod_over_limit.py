"""A pod whose node the limits of the NodePool forbid."""

from collections.abc import Iterator

from gitgpu.conform.node.node_pools import NodePool
from gitgpu.conform.objects import Objects
from gitgpu.conform.offers import limited
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.placement import allowed, cases, roomy
from gitgpu.diagnostic import Severity
from gitgpu.model.quantity import FORM, quantity

BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  limits: {nvidia.com/gpu: 2}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements:
      - key: karpenter.azure.com/sku-name
        operator: In
        values: [Standard_NC24ads_A100_v4, Standard_NC48ads_A100_v4, Standard_NC96ads_A100_v4]
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
---
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
  containers:
  - name: main
    resources: {limits: {nvidia.com/gpu: 4}}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for case in cases(objects):
        fits = () if case.is_open else tuple(one for one in roomy(case, objects) if not _is_off(one.pool))
        if fits and not allowed(case, objects):
            offer = fits[0]
            sku = offer.skus[0]
            name = limited(offer.pool, sku)
            limit = f"NodePool {offer.pool.name} stops at {offer.pool.limits[name]} of {name}"
            message = f"the smallest node that holds the pod, {sku.name}, is beyond a limit: {limit}"
            remedy = f"raise spec.limits of NodePool {offer.pool.name}, or ask for less"
            yield Finding(case.pod.item, case.pod.pointer, message, remedy)


def _is_off(pool: NodePool) -> bool:
    """Is it to get no node at all? A limit of nothing is how a NodePool is switched off; it may have nodes."""
    return any(FORM.match(str(limit)) and quantity(str(limit)) == 0 for limit in pool.limits.values())


RULE = Rule(
    code="POD008",
    name="pod-over-limit",
    severity=Severity.ERROR,
    summary="Every size that is large enough for a pod is larger than the limits of its NodePool.",
    help="A limit counts whole nodes. Karpenter drops every size that would go over it, before it looks at the pod.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
        "https://karpenter.sh/docs/concepts/nodepools/#speclimits",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("gpu: 2}", "gpu: 8}"),
)
