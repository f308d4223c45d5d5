"""Azure Service Operator supports only some versions of the Azure API for node pools."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import beyond
from gitgpu.model.driver_owner import driver_on, is_claimed
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.rules.inputs.requested_sizes import sizes_place
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """All such pools, at the first one: one reason suppresses the warning for the fleet."""
    unknown: dict[str, str] = {}
    affected: dict[str, Pool] = {}
    for pool, clusters in node_pools(inputs):
        kinds = dict.fromkeys((driver_on(cluster, pool), is_claimed(cluster, pool)) for cluster in clusters)
        for driver, claimed in kinds if pool.skus else ():
            fields = beyond(pool, driver, inputs.catalog, claimed=claimed)
            if fields:
                unknown |= fields
                affected.setdefault(pool.name, pool)
    if affected:
        first = next(iter(affected.values()))
        pools = f"node pools {', '.join(affected)}" if len(affected) > 1 else "this node pool"
        them = "them" if len(affected) > 1 else "it"
        fields_by_api = join_names([f"{setting} (API {version})" for setting, version in unknown.items()])
        message = f"Azure Service Operator cannot create {pools}: it has no field for {fields_by_api}"
        remedy = f"create {them} with runbook/node-pools.sh or node-pools.bicep, and suppress AGP020 with a reason"
        yield Finding(first.origin, sizes_place(first), message, remedy)


RULE = Rule(
    code="AGP020",
    name="field-unknown-to-service-operator",
    severity=Severity.WARNING,
    replaces=("AGP015",),
    summary="A node pool needs a field that Azure Service Operator does not have.",
    help="gitgpu writes objects of Azure Service Operator 2.16, which has the fields of version 2025-08-01 of Azure's "
    "API. Managed GPUs, artifact streaming and the image family Ubuntu2404 came later, and the MIG strategy of "
    "managed GPUs and the driver type on Windows only of previews, which have no service level agreement and work"
    " for about a year. node-pools.bicep and node-pools.sh use the oldest version that has all fields of a pool, "
    "a stable one if there is any. gitgpu emits no ManagedClustersAgentPool for such a pool, because an object "
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
