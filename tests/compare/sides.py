"""Overlays of a cluster for comparisons, and edited objects in them."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

from gitgpu.compare import Both, ClusterChange, Context, PoolChange, compare_clusters
from gitgpu.compare.nodes import Pool, pools
from gitgpu.compare.snapshot import objects_in
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import Catalog
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.write.render import render

Body = dict[str, Any]
REMOVED = object()
TAINT = {"key": "sku", "value": "gpu", "effect": "NoSchedule"}
POOL: Body = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "p", "annotations": {"kustomize.toolkit.fluxcd.io/prune": "disabled"}},
    "spec": {
        "template": {
            "metadata": {"labels": {"team": "ml"}},
            "spec": {
                "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "p"},
                "requirements": [
                    {
                        "key": "karpenter.azure.com/sku-name",
                        "operator": "In",
                        "values": ["Standard_NC4as_T4_v3", "Standard_NC16as_T4_v3"],
                    },
                    {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand", "spot"]},
                ],
                "taints": [TAINT],
            },
        },
        "disruption": {"consolidateAfter": "10m", "consolidationPolicy": "WhenEmpty"},
        "limits": {"nvidia.com/gpu": "8", "cpu": "128"},
    },
}
CLASS: Body = {
    "apiVersion": "karpenter.azure.com/v1beta1",
    "kind": "AKSNodeClass",
    "metadata": {"name": "p"},
    "spec": {"imageFamily": "Ubuntu2204", "tags": {"a": "b"}},
}
AGENTS: Body = {
    "apiVersion": "containerservice.azure.com/v1api20250801",
    "kind": "ManagedClustersAgentPool",
    "metadata": {"name": "a", "namespace": "aks"},
    "spec": {
        "azureName": "a",
        "owner": {"name": "c"},
        "vmSize": "Standard_NC4as_T4_v3",
        "osSKU": "Ubuntu",
        "enableAutoScaling": True,
        "minCount": 0,
        "maxCount": 4,
        "mode": "User",
    },
}
FLUX: Body = {
    "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
    "kind": "Kustomization",
    "metadata": {"name": "f-nodes", "namespace": "flux-system"},
    "spec": {"interval": "10m", "path": "./overlays/c/nodes", "prune": True},
}


@cache
def context(minutes: int | None = None) -> Context:
    """The facts that a comparison needs."""
    return Context(Catalog(CatalogFiles()), Contracts(Schemas()), minutes)


def overlays(bodies: Sequence[Body], layer: str = "nodes") -> dict[str, str]:
    """The files of cluster c, with Flux's Kustomization next to the objects."""
    paths = {f"c/{layer}/{body['kind']}-{body['metadata']['name']}.yaml".lower(): body for body in bodies}
    return {path: render(body) for path, body in {**paths, "c/sync/kustomization-f-nodes.yaml": FLUX}.items()}


def edited(body: Body, edits: Mapping[str, Any]) -> Body:
    """The object with other values at some paths. REMOVED removes a key."""
    result = deepcopy(body)
    for path, value in edits.items():
        *above, key = path.split("/")
        place: Any = result
        for part in above:
            place = place[int(part)] if isinstance(place, list) else place.setdefault(part, {})
        if value is REMOVED:
            del place[key]
        else:
            place[int(key) if isinstance(place, list) else key] = value
    return result


def between(
    before: Mapping[str, str], after: Mapping[str, str], minutes: int | None = None, region: str = "swedencentral"
) -> list[ClusterChange]:
    """The differences. Asserts that everything can be read."""
    changes, faults = compare_clusters(Both(before, after, "", {"c": region}), context(minutes))
    assert faults == []
    return changes


def pool_between(
    before: Sequence[Body],
    after: Sequence[Body],
    name: str = "p",
    minutes: int | None = None,
    region: str = "swedencentral",
) -> PoolChange:
    """The change of one pool."""
    (change,) = between(overlays(before), overlays(after), minutes, region)
    return next(pool for pool in change.pools if pool.name == name)


def pool_of(body: Body, region: str = "swedencentral") -> Pool:
    """A pool as a comparison reads it, on a cluster that also has CLASS."""
    files = overlays([body, CLASS])
    objects, faults = objects_in(files, files, "")
    assert faults == []
    return pools(objects.values(), region, context())[body["kind"], body["metadata"]["name"]]
