"""A pod that is larger than any node of the NodePools that could take it."""

from collections.abc import Iterator
from decimal import Decimal

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.node_constraints import request_place
from gitgpu.conform.workload.placement import Case, cases, made, roomy
from gitgpu.diagnostic import Severity
from gitgpu.schedule.allocatable import allocatable, insufficient, shown

BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  limits: {nvidia.com/gpu: 8}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
---
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
  containers:
  - name: main
    resources:
      requests: {memory: 200Gi}
      limits: {nvidia.com/gpu: 1}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for case in cases(objects):
        if not case.is_open and made(case, objects) and not roomy(case, objects):
            yield _finding(case, objects)


def _finding(case: Case, objects: Objects) -> Finding:
    asked, skus = case.pod.requests(), [sku for one in made(case, objects) for sku in one.skus]
    best = max(skus, key=lambda sku: (_gpus(allocatable(sku)), allocatable(sku).get("memory") or 0))
    name = insufficient(best, asked)
    amount = allocatable(best)[name] or Decimal(0)
    have = f"{best.name}, the largest, has {shown(name, amount)}"
    total = best.row["memoryGiB"] if name == "memory" else None
    whole = f" of its {total} GiB" if total else ""
    message = f"the pod asks for {shown(name, asked[name])} of {name}, and no node can give it: {have}{whole} for pods"
    remedy = f"ask for {shown(name, amount)} or less, or let a NodePool have larger sizes"
    return Finding(case.pod.item, request_place(case.pod, name), message, remedy)


def _gpus(has: object) -> Decimal:
    counts = has if isinstance(has, dict) else {}
    return max((counts.get(name) or Decimal(0) for name in counts if "/" in name), default=Decimal(0))


RULE = Rule(
    code="POD006",
    name="oversized-pod",
    severity=Severity.ERROR,
    summary="A pod asks for more than any node of the NodePools that it can go to has for pods.",
    help="Not all that a size has is for pods. Karpenter takes 7.5 % of the memory to be lost to the hypervisor, and "
    "then what the kubelet reserves, which on small sizes is a quarter. Daemons on the node come on top of that.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://learn.microsoft.com/azure/aks/node-resource-reservations",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("200Gi", "160Gi"),
)
