"""Overlays with objects of any shape can be compared."""

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from tests.compare.sides import AGENTS, CLASS, POOL, between, edited, overlays

KEYS = st.sampled_from(
    [
        "spec",
        "template",
        "metadata",
        "taints",
        "requirements",
        "limits",
        "budgets",
        "disruption",
        "kubelet",
        "nodeClassRef",
        "key",
        "operator",
        "values",
        "nodes",
        "schedule",
        "duration",
        "name",
        "labels",
        "expireAfter",
        "gpu",
        "mode",
    ]
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 10**20),
    st.sampled_from(["", "a", "In", "10%", "Never", "1h", "-1", "720h", "0 6 * * *", "karpenter.sh/capacity-type"]),
)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4))
PATHS = st.sampled_from(
    [
        "spec",
        "spec/template",
        "spec/template/spec",
        "spec/template/metadata",
        "spec/template/spec/requirements",
        "spec/template/spec/taints",
        "spec/template/spec/nodeClassRef",
        "spec/template/spec/expireAfter",
        "spec/disruption",
        "spec/disruption/budgets",
        "spec/limits",
        "spec/kubelet",
        "spec/maxCount",
        "metadata/annotations",
        "metadata/labels",
    ]
)
KINDS = [POOL, CLASS, AGENTS]


@given(st.sampled_from(KINDS), PATHS, VALUES)
@example(POOL, "spec/template/spec/nodeClassRef", {"name": []})
@example(POOL, "spec/template/spec/nodeClassRef", {"name": {}})
def test_any_value_at_any_place_causes_no_crash(body: dict[str, Any], path: str, value: Any) -> None:
    odd = edited(body, {path: value})
    rest = [kind for kind in KINDS if kind is not body]
    sound, strange = overlays([body, *rest]), overlays([odd, *rest])
    assert between(strange, strange) == []
    there, back = between(sound, strange), between(strange, sound)
    assert bool(there) == bool(back)
    for change in (*there, *back):
        assert all(pool.reason and pool.replaced in ("all", "some", "none") for pool in change.pools)
