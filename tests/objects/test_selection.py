"""Whether an object selects the nodes of a pool, by the name of the pool or by labels of its nodes."""

from typing import Any

from gitgpu.objects.node.selection import Label, PoolNodes, selected_pools, selects
from tests.helping.cases import for_each

POOL, OTHER_POOL = "karpenter.sh/nodepool", "kubernetes.azure.com/agentpool"
KNOWN = {"team": ("ml",), "size": ("a", "b")}
NODES = PoolNodes(Label(POOL, "p"), lambda key: None if key == "unknown" else KNOWN.get(key, ()))


def rule(key: str, operator: str, *values: str) -> dict[str, Any]:
    """An expression."""
    return {"key": key, "operator": operator, "values": list(values)}


def term(*rules: dict[str, Any]) -> dict[str, Any]:
    """An affinity with one term."""
    return {"affinity": {"nodeSelectorTerms": [{"matchExpressions": list(rules)}]}}


@for_each(
    ("value", "expected"),
    [
        ({"nodeSelector": {POOL: "p"}}, True),
        ({"nodeSelector": {POOL: "q"}}, False),
        ({"worker": [rule(POOL, "In", "p")]}, True),
        ({"worker": [rule(POOL, "NotIn", "p")]}, False),
        (term(rule(POOL, "In", "q", "p")), True),
        (term(rule(POOL, "NotIn", "p")), False),
        (term(rule("team", "In", "ml"), rule(POOL, "In", "q")), False),
        (term(rule("team", "In", "ml"), rule(POOL, "NotIn", "q")), True),
        (term(rule("unknown", "In", "x")), True),
        (term(rule("unknown", "In", "x"), rule("team", "In", "web")), False),
        (term(rule("size", "NotIn", "a")), True),
        (term(rule("size", "NotIn", "a", "b")), False),
        (term(rule("absent", "DoesNotExist")), True),
        (term(rule("absent", "Exists")), False),
        (term(), False),
        (None, False),
    ],
)
def test_what_an_object_selects(value: Any, *, expected: bool) -> None:
    assert selects(value, NODES) is expected


def test_pools_of_both_provisioners_are_found_at_once() -> None:
    agents = PoolNodes(Label(OTHER_POOL, "p"), lambda key: KNOWN.get(key, ()))
    pools = {each.label: each for each in (NODES, agents)}
    assert selected_pools(term(rule("team", "In", "ml")), pools) == {*pools}
    assert selected_pools(term(rule(POOL, "In", "p")), pools) == {NODES.label}
    assert selected_pools({"nodeSelector": {OTHER_POOL: "p"}}, pools) == {agents.label}
