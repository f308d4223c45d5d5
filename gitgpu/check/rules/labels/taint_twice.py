"""A taint key and effect may stand only once on a pool, start-up taints included."""

from collections import Counter
from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import SPOT, Pool
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
  taints:
  - {key: sku, value: gpu, effect: NoSchedule}
  - {key: sku, value: t4, effect: NoSchedule}
"""
GOOD = BAD.replace("key: sku, value: t4", "key: contoso.com/gpu, value: t4")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Keys and effects that a pool's nodes would carry twice."""
    for pool in inputs.pools:
        early = {(taint.key, taint.effect) for taint in pool.startup_taints}
        for key, effect in _twice(pool):
            where = "startupTaints" if (key, effect) in early else "taints"
            message = f"the taint {key} with the effect {effect} stands on the pool's nodes twice"
            remedy = f"keep one {key}:{effect} in taints and startupTaints together, or give the other its own key"
            yield Finding(*pool_place(inputs, pool, where), message, remedy)


def _twice(pool: Pool) -> list[tuple[str, str]]:
    added = {SPOT} - set(pool.taints) if pool.only_spot else set()
    counts = Counter((taint.key, taint.effect) for taint in (*pool.taints, *pool.startup_taints, *added))
    return [pair for pair, count in counts.items() if count > 1]


RULE = Rule(
    code="SCH002",
    name="taint-twice",
    severity=Severity.ERROR,
    summary="A pool carries the same taint key and effect twice.",
    help="Karpenter refuses a NodePool on whose nodes a key and effect would stand twice, even with different values "
    "or once in taints and once in startupTaints. The NodePool is stored, stays NotReady and gets no node.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodeclaim_validation.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
