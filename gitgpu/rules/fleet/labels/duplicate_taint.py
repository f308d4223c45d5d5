"""A pool has each taint key and effect once, startup taints included."""

from collections import Counter
from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.taint import SPOT
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Keys and effects that the nodes of a pool would have twice."""
    for pool in inputs.pools:
        startup_keys = {(taint.key, taint.effect) for taint in pool.startup_taints}
        for key, effect in _duplicates(pool):
            where = "startupTaints" if (key, effect) in startup_keys else "taints"
            message = f"duplicate taint {key} with effect {effect}"
            remedy = f"keep one {key}:{effect} in taints and startupTaints together, or give the other its own key"
            yield Finding(*pool_place(pool, where), message, remedy)


def _duplicates(pool: Pool) -> list[tuple[str, str]]:
    # SCH010 reports a pool that sets the spot taint itself.
    added = {SPOT} - set(pool.taints) if pool.has_spot_taint else set()
    counts = Counter((taint.key, taint.effect) for taint in (*pool.taints, *pool.startup_taints, *added))
    return [pair for pair, count in counts.items() if count > 1]


RULE = Rule(
    code="SCH002",
    name="duplicate-taint",
    twin="CNF009",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool has the same taint key and effect twice.",
    help="Karpenter rejects a NodePool with a duplicate key and effect, even with different values or once in taints "
    "and once in startupTaints. The API server stores the NodePool, but it stays NotReady and does not get nodes.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodeclaim_validation.go",
    ),
    check=_check,
)
