"""Limits of a pool that exclude every size only in combination: the reason names all of them."""

from itertools import product

import pytest

from tests.simulate.worlds import A100, A100X4, GPU, H100X8, T4, T4X4, deployment, only, pool

ND40, RTX = "Standard_ND40rs_v2", "Standard_NC144ds_xl_RTXPRO6000BSE_v6"  # 40 vCPUs and 8 GPUs; 144 vCPUs and 1 GPU
LIMITS: dict[str, tuple[str, ...]] = {
    "cpu": ("0", "40", "100", "1000"),
    GPU: ("0", "1", "7", "8"),
    "memory": ("64Gi", "600Gi"),
    "nodes": ("0", "1"),
}


def test_two_limits_of_which_neither_alone_excludes_every_size() -> None:
    result = only(pool("a", ND40, RTX, limits={"cpu": 40, GPU: 1}), deployment("w"))
    assert result.verdict == "unschedulable"
    (reason,) = result.reasons
    assert reason.kind == "limit"
    assert reason.message == f"no size of the pool is within its limits cpu: 40 and {GPU}: 1 together"
    assert reason.help == f"raise the limit of cpu or {GPU}"
    for alone in ({"cpu": 40}, {GPU: 1}):
        assert only(pool("a", ND40, RTX, limits=alone), deployment("w")).verdict == "schedulable"


@pytest.mark.parametrize("sizes", [(ND40, RTX), (A100, H100X8), (T4, T4X4, A100X4), (ND40, T4)])
def test_every_combination_of_limits_has_a_verdict_and_a_reason(sizes: tuple[str, ...]) -> None:
    choices = [[None, *values] for values in LIMITS.values()]
    for values in list(product(*choices))[::4]:  # each pair of values is among them
        limits = {key: value for key, value in zip(LIMITS, values, strict=True) if value is not None}
        result = only(pool("a", *sizes, limits=limits), deployment("w"))
        assert result.verdict in ("schedulable", "unschedulable"), limits
        if result.verdict == "schedulable":
            continue
        (reason,) = result.reasons
        assert reason.kind == "limit", limits
        assert any(key in reason.message for key in limits), (limits, reason)


def test_two_pools_of_one_name_keep_their_own_limits() -> None:
    """As in files of which only one is applied: each combination has a verdict, and names a limit that exists."""
    for first, second in product(({}, {"nodes": 4}, {"cpu": 100, GPU: 1}, {GPU: 0}), repeat=2):
        pools = pool("a", A100, limits=first), pool("a", A100X4, limits=second)
        result = only(*pools, deployment("w", 2))
        assert all(name in {**first, **second} for reason in result.reasons for name in (GPU, "cpu", "nodes")
                   if f"limit {name}" in reason.message)  # fmt: skip
        assert result.verdict == "schedulable" or result.reasons, (first, second)
