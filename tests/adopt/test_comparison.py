"""How much a spec would change of a pool that runs."""

import copy
from typing import Any

import pytest

from gitgpu.adopt.comparison import compared_nodes
from gitgpu.adopt.compiled import node_object
from gitgpu.compare.nodes import Known
from gitgpu.conform.schema.contract import Contracts
from gitgpu.load.schemas import Schemas
from tests.adopt.test_recorded_imports import CATALOG
from tests.adopt.test_small_stacks import karpenter

KNOWN = Known(CATALOG, Contracts(Schemas()))


def nodes(labels: Any = None, gpu: Any = None, **spec: Any) -> list[Any]:
    """A NodePool with its node class."""
    pool, of_class = copy.deepcopy(karpenter(labels))
    pool["spec"].update(spec)
    of_class["spec"]["gpu"] = gpu or {"mode": "Driver"}
    return [pool, of_class]


def cost(before: list[Any], after: list[Any]) -> tuple[int, int]:
    """What it costs the pool `gpu` that some objects become others."""
    was, now = ({obj.key: obj for obj in (node_object(body, "lab") for body in side)} for side in (before, after))
    return compared_nodes(was, now, "swedencentral", KNOWN).cost("NodePool", "gpu", "gpu")


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, (0, 0)),
        ({"weight": 5}, (0, 1)),
        ({"weight": 5, "limits": {"cpu": 4}}, (0, 2)),
        ({"labels": {"a": "b"}}, (1, 1)),
        ({"gpu": {"mode": "None"}}, (1, 1)),
        ({"gpu": {"mode": "None"}, "weight": 5}, (1, 2)),
    ],
    ids=str,
)
def test_lost_nodes_cost_more_than_changed_fields(changes: dict[str, Any], found: tuple[int, int]) -> None:
    assert cost(nodes(), nodes(**changes)) == found


def test_a_pool_that_is_not_made_loses_its_nodes() -> None:
    pool, of_class = nodes()
    assert cost([pool, of_class], [of_class])[0] == 1
    assert cost([of_class], [of_class]) == (1, 0)
