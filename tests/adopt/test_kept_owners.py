"""Node pools of Azure Service Operator keep their owner, which the operator does not let anyone change."""

from typing import Any

import pytest
import yaml

from gitgpu.access import reach
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.inventory.joined import ImportOptions
from gitgpu.inventory.read import inventory
from gitgpu.load.text import Text
from gitgpu.runs.import_ import Imported, import_fleet

ID = (
    "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/prod/providers/Microsoft.ContainerService"
    "/managedClusters/east"
)
AS_PRINTED = ID.replace("resourceGroups", "resourcegroups")  # by `az aks show`
HEAD = {"apiVersion": "containerservice.azure.com/v1api20250801"}
OPTIONS = ClusterOptions(region="swedencentral", kubernetes="1.34", repository="https://github.com/contoso/gpu-fleet")


def imported(owner: dict[str, str]) -> Imported:
    cluster = {"location": "swedencentral", "azureName": "east", "owner": {"name": "group"}}
    pool = {"azureName": "gpu", "owner": owner, "vmSize": "Standard_NC24ads_A100_v4", "mode": "User", "count": 2}
    bodies: list[dict[str, Any]] = [
        HEAD | {"kind": "ManagedCluster", "metadata": {"name": "aks", "namespace": "azure"}, "spec": cluster},
        HEAD | {"kind": "ManagedClustersAgentPool", "metadata": {"name": "gpu", "namespace": "azure"}, "spec": pool},
    ]
    bodies[0]["status"] = {"id": ID}
    read = inventory([Text("aso.yaml", yaml.safe_dump_all(bodies), "aso.yaml")], ImportOptions())
    return import_fleet(read, OPTIONS, (), "fleet")


@pytest.mark.parametrize(
    ("owner", "kept"),
    [
        ({"name": "aks"}, {"armId": None, "name": "aks"}),
        ({"armId": ID}, None),
        ({"armId": AS_PRINTED}, {"armId": AS_PRINTED}),
    ],
)
def test_a_pool_keeps_the_name_of_its_owner(owner: dict[str, str], kept: dict[str, Any] | None) -> None:
    """The admission webhook of the operator rejects an update of `owner.name` and `owner.armId`, with case."""
    made = imported(owner)
    [cluster] = [each.document for each in made.adopted.documents if each.document.kind == "Cluster"]
    patches = [(each["target"], each["patch"]["spec"]) for each in reach(cluster.spec, "patches") or ()]
    target = {"kind": "ManagedClustersAgentPool", "name": "gpu"}
    assert patches == ([(target, {"owner": kept})] if kept else [])
    reasons = [each.reason for each in made.adopted.outcomes if each.pointer == ("spec", "owner")]
    assert ("Azure Service Operator rejects another owner" in reasons) == bool(kept)
    assert all(verdict.keeps_nodes for verdict in made.verdicts)
