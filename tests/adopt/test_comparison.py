"""How much a spec would change a running pool."""

import copy
from typing import Any

from gitgpu.adopt.comparison import compare_nodes
from gitgpu.adopt.compiled import node_object
from gitgpu.compare.nodes import Context
from gitgpu.load.schemas import Schemas
from gitgpu.objects.schema.contracts import Contracts
from tests.adopt.test_recorded_imports import CATALOG
from tests.adopt.test_small_stacks import agents, karpenter
from tests.helping.cases import for_each

ARM = (
    "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/g/providers/"
    "Microsoft.ContainerService/managedClusters/prod"
)
REDACTED = ARM.replace("00000000-0000-0000-0000-000000000001", "xxx")
CONTEXT = Context(CATALOG, Contracts(Schemas()))


def nodes(labels: Any = None, gpu: Any = None, **spec: Any) -> list[Any]:
    """A NodePool with its node class."""
    pool, of_class = copy.deepcopy(karpenter(labels))
    pool["spec"].update(spec)
    of_class["spec"]["gpu"] = gpu or {"mode": "Driver"}
    return [pool, of_class]


def cost(before: list[Any], after: list[Any], kind: str = "NodePool") -> tuple[int, int]:
    """The cost for pool `gpu` if objects are replaced with others."""
    return compare_nodes(by_key(before), by_key(after), "swedencentral", CONTEXT).cost(kind, "gpu", "gpu")


def by_key(bodies: list[Any]) -> dict[Any, Any]:
    """Node objects by the key with which they are compared."""
    objects = [node_object(body, "lab") for body in bodies]
    return {obj.key: obj for obj in objects}


@for_each(
    ("changes", "expected"),
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
def test_lost_nodes_cost_more_than_changed_fields(changes: dict[str, Any], expected: tuple[int, int]) -> None:
    assert cost(nodes(), nodes(**changes)) == expected


@for_each(
    ("before", "after", "expected"),
    [
        ({}, {}, (0, 0)),
        ({"count": 3}, {"count": 2}, (0, 1)),
        ({"enableAutoScaling": True, "count": 3}, {"enableAutoScaling": True}, (0, 0)),
        ({"mode": "User", "nodeTaints": []}, {}, (0, 0)),
        ({"vmSize": "standard_nc24ads_a100_V4"}, {}, (0, 0)),
        ({"nodeImageVersion": "a", "powerState": {"code": "Running"}, "kubeletDiskType": "OS"}, {}, (0, 0)),
        ({"kubeletDiskType": "Temporary"}, {}, (1, 1)),
        ({"tags": {"a": "b"}}, {}, (0, 1)),
        ({"owner": {"name": "prod"}, "azureName": "gpu"}, {"owner": {"armId": ARM}, "azureName": "gpu"}, (0, 0)),
        ({"owner": {"armId": REDACTED}}, {"owner": {"armId": ARM}}, (0, 0)),
        ({"owner": {"armId": ARM.lower()}}, {"owner": {"armId": ARM}}, (0, 0)),
        ({"owner": {"armId": f"{ARM}-2"}}, {"owner": {"armId": ARM}}, (1, 1)),  # of another cluster
    ],
    ids=str,
)
def test_a_value_that_aks_decides_costs_nothing(
    before: dict[str, Any], after: dict[str, Any], expected: tuple[int, int]
) -> None:
    assert cost(agents(**before), agents(**after), "ManagedClustersAgentPool") == expected


def test_a_pool_that_is_not_emitted_loses_its_nodes() -> None:
    pool, of_class = nodes()
    assert cost([pool, of_class], [of_class])[0] == 1
    assert cost([of_class], [of_class]) == (1, 0)


def test_another_version_of_the_same_kind_costs_nothing() -> None:
    older = nodes()
    older[0]["apiVersion"] = "karpenter.sh/v1beta1"
    assert cost(older, nodes()) == (0, 0)


def test_a_pool_that_stays_is_not_compared_field_by_field() -> None:
    stays = "no node is replaced"
    for kind, bodies in (("NodePool", nodes()), ("ManagedClustersAgentPool", agents())):
        same = by_key(bodies)
        compared = compare_nodes(same, same, "swedencentral", CONTEXT)
        assert (compared.pools[kind, "gpu"].reason, compared.changes) == (stays, {})
    changed = compare_nodes(by_key(nodes()), by_key(nodes(gpu={"mode": "None"})), "swedencentral", CONTEXT)
    assert changed.pools["NodePool", "gpu"].reason != stays
