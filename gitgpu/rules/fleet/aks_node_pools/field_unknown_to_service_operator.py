"""Azure Service Operator supports only some versions of the Azure API for node pools."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_api import operator_api
from gitgpu.model.aks_node_pool import beyond
from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import driver_on, is_claimed
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.groups import CONTAINER_SERVICE_GROUP
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.rules.inputs.requested_sizes import sizes_place
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """All such pools, at the first one: one reason suppresses the warning for the fleet."""
    unknown: dict[str, str] = {}
    affected: dict[str, _Kind] = {}
    for pool, clusters in node_pools(inputs):
        operator_clusters = [cluster for cluster in clusters if pool.skus and cluster.delivery.azure is None]
        for facts in dict.fromkeys(_facts(cluster, pool) for cluster in operator_clusters):
            kind = _Kind(pool, *facts)
            fields = kind.beyond(inputs.catalog, kind.version)
            if fields:
                unknown |= fields
                affected.setdefault(pool.name, kind)
    if affected:
        first = next(iter(affected.values())).pool
        pools = f"node pools {', '.join(affected)}" if len(affected) > 1 else "this node pool"
        them = "them" if len(affected) > 1 else "it"
        fields_by_api = join_names([f"{setting} (API {version})" for setting, version in unknown.items()])
        message = f"Azure Service Operator cannot create {pools}: it has no field for {fields_by_api}"
        remedy = f"create {them} with runbook/node-pools.sh or node-pools.bicep, and suppress AGP020 with a reason"
        newer = _version_with_all(affected.values(), inputs.catalog)
        if newer:
            remedy += f"; or set stack.aso.apiVersion: {newer}, if the installed release serves it"
        yield Finding(first.origin, sizes_place(first), message, remedy)


class _Kind(NamedTuple):
    """A pool as its clusters have it, and the version of their objects."""

    pool: Pool
    driver: str
    claimed: bool
    version: str

    def beyond(self, catalog: Catalog, version: str) -> dict[str, str]:
        """The settings that objects in a version do not have."""
        return beyond(self.pool, self.driver, catalog, operator_api(version), claimed=self.claimed)


def _facts(cluster: Cluster, pool: Pool) -> tuple[str, bool, str]:
    return driver_on(cluster, pool), is_claimed(cluster, pool), cluster.stack.aso.api_version


def _version_with_all(kinds: Collection[_Kind], catalog: Catalog) -> str:
    """The first version of the objects in which none of the settings is missing; "" if there is none."""
    rows = catalog.must("apis", CONTAINER_SERVICE_GROUP)["versions"]
    current = [
        row["version"]
        for row in rows
        if MANAGED_CLUSTERS_AGENT_POOL.kind in row["kinds"] and row.get("deprecated") == "never"
    ]
    every = sorted(current, key=operator_api)
    return next((version for version in every if not any(kind.beyond(catalog, version) for kind in kinds)), "")


RULE = Rule(
    code="AGP020",
    name="field-unknown-to-service-operator",
    severity=Severity.WARNING,
    replaces=("AGP015",),
    summary="A node pool needs a field that Azure Service Operator does not have.",
    help="The objects of Azure Service Operator have the fields of the version of Azure's API that stack.aso "
    "names, by default 2025-08-01. Managed GPUs, artifact streaming and newer image families came later, and the MIG "
    "strategy of managed GPUs and the driver type on Windows only in previews, which have no service level agreement "
    "and work for about a year. node-pools.bicep and node-pools.sh use the oldest version that has all fields of a "
    "pool, a stable one if there is any. gitgpu emits no ManagedClustersAgentPool for such a pool, because an object "
    "without the field would remove the setting.",
    sources=(
        "https://github.com/Azure/azure-rest-api-specs/blob/12a6e9aa1fcc38201de7dbf43a767d59864fb4cf/specification/containerservice/resource-manager/Microsoft.ContainerService/aks/preview/2026-04-02-preview/managedClusters.json",
        "https://github.com/Azure/azure-rest-api-specs/blob/119645cbbfc5d1373c96106564ba8cad3b69a99e/specification/containerservice/resource-manager/Microsoft.ContainerService/aks/stable/2026-04-01/managedClusters.json",
        "https://github.com/Azure/azure-service-operator/blob/1edd62da93d56c9ca3cf041ad8deb8a70de25763/v2/api/containerservice/v20260501/arm/managed_clusters_agent_pool_spec_types_gen.go",
        "https://github.com/Azure/azure-service-operator/blob/e167f2e01a4c50042ff6192ffeedfda4324f820a/v2/api/containerservice/v20251002preview/arm/managed_clusters_agent_pool_spec_types_gen.go",
    ),
    facts=("arm/agentPools",),
    check=_check,
)
