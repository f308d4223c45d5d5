"""Changes of node pools that are in the Bicep module and not among the objects."""

from typing import Any

from gitgpu.emit.pages.node_pools_bicep import PAGE
from tests.compare.sides import between
from tests.emit.fleets import A100, CLUSTER_ID, T4, cluster, emitted, fleet, plans, pool
from tests.helping.cases import for_each

MANAGED: dict[str, Any] = {"driver": "managed", "nodes": {"min": 2, "max": 2}}
REFUSED = "AKS does not change {} of an existing node pool: add a pool with a different name, and retire this one"


def files(sku: str = T4, *, objects: bool = False, **spec: Any) -> dict[str, str]:
    """The overlays of a cluster with one pool: the module, and the object of the pool with `objects`."""
    documents = [fleet(), cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID), pool("p", sku, **spec)]
    made = {"c/runbook/node-pools.bicep": PAGE.write(plans(*documents)["one"])}
    written = emitted(*documents).every("ManagedClustersAgentPool") if objects else []
    as_text = {f"c/nodes/pool-{at}.yaml": str(body) for at, body in enumerate(written)}
    return {"c/nodes/a.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}", **made, **as_text}


def texts(before: dict[str, str], after: dict[str, str]) -> list[str]:
    changes = between(before, after)
    return [effect.text for change in changes for effect in change.effects if effect.object == "node pool p"]


@for_each(
    ("before", "after", "text"),
    [
        ({"driver": "aks", "nodes": MANAGED["nodes"]}, MANAGED, REFUSED.format("gpuProfile.nvidia.managementMode")),
        (MANAGED, {"driver": "aks", "nodes": MANAGED["nodes"]}, REFUSED.format("gpuProfile.nvidia.managementMode")),
        (MANAGED, {**MANAGED, "sku": A100}, REFUSED.format("vmSize")),
        (
            MANAGED,
            {**MANAGED, "nodes": {"min": 3, "max": 3}},
            "AKS changes count without replacing nodes, once you deploy node-pools.bicep",
        ),
        (
            MANAGED,
            {**MANAGED, "image": {"fips": True}},
            "AKS reimages its nodes for enableFIPS, once you deploy node-pools.bicep",
        ),
        (
            {**MANAGED, "taints": []},
            {**MANAGED, "taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}]},
            "AKS changes nodeTaints without replacing nodes, once you deploy node-pools.bicep",
        ),
        (
            {**MANAGED, "tags": {"a.b": "it's {"}},
            {**MANAGED, "tags": {"a.b": "it's }"}},
            "AKS changes tags.a.b without replacing nodes, once you deploy node-pools.bicep",
        ),
    ],
)
def test_what_a_change_needs(before: dict[str, Any], after: dict[str, Any], text: str) -> None:
    assert texts(files(**before), files(**after)) == [text]


def test_a_retiring_pool_keeps_what_aks_does_not_change() -> None:
    """On a cluster without `aks-dra`, the page no longer has the mode of a pool that AKS created with it."""
    retiring: dict[str, Any] = {**MANAGED, "retire": True}
    assert texts(files(**MANAGED), files(**{**retiring, "sku": A100})) == [
        "AKS changes nodeTaints without replacing nodes, once you deploy node-pools.bicep",
        "AKS does not change vmSize of an existing node pool: keep it as it was until the pool has no nodes",
    ]


def test_pools_that_are_objects_are_compared_as_objects() -> None:
    before: dict[str, Any] = {"driver": "aks", "nodes": {"min": 2, "max": 2}}
    after: dict[str, Any] = {"driver": "aks", "nodes": {"min": 3, "max": 3}}
    assert texts(files(objects=True, **before), files(objects=True, **after)) == []
    assert texts(files(objects=True, **before), files(**MANAGED)) == [
        REFUSED.format("gpuProfile.nvidia.managementMode")
    ]


def test_a_module_without_a_difference_says_nothing() -> None:
    assert texts(files(**MANAGED), files(**MANAGED)) == []
