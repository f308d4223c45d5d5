"""AKS documents managed GPU nodes as a preview, although a stable version of Azure's API has them."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_api import ApiField, least_api
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.preview import preview
from gitgpu.model.spec.origin import SpecPlace
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters

MANAGED = "managed"


def _check(inputs: Inputs) -> Iterator[Finding]:
    """The first pool of the fleet with AKS-managed GPUs, while these are a preview."""
    catalog = inputs.catalog
    feature = preview("managed-gpu-nodes", catalog)
    if feature is None:
        return
    for pool, clusters in pools_with_clusters(inputs):
        managed_clusters = [cluster for cluster in clusters if driver_on(cluster, pool) == MANAGED]
        # WIN002 reports managed GPUs on Windows.
        if managed_clusters and not pool.windows:
            pool_place = SpecPlace(pool.origin, ("spec", "driver"))
            place = pool_place if pool.driver else stack_place(managed_clusters[0], "driver")
            api = least_api(catalog, "agentPools", [ApiField("gpuProfile.nvidia.managementMode")])
            row = catalog.must("prerequisites", "managed-gpu-nodes")
            unknown = (
                f"version {api} of Azure's API has {feature.title}, but whether they are still a preview is not known"
            )
            message = feature.message if feature.certain else unknown
            yield Finding(*place, message, feature.remedy(RULE.code), row)
            return


RULE = Rule(
    code="DRV070",
    name="managed-gpus-in-preview",
    severity=Severity.WARNING,
    summary="The fleet has pools with driver: managed.",
    help="The guide calls them a preview, for which the subscription must register, and which has no service level "
    "agreement. Since then, they are in a stable version of Azure's API, which is not an announcement of general "
    "availability; whether the registration is still required is not known. MIG on managed nodes is in previews of the "
    "API only. These settings are fixed when a node pool is created: to leave them, create another pool.",
    sources=(
        "https://github.com/Azure/AKS/issues/5035",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
    ),
    facts=("prerequisites/managed-gpu-nodes",),
    check=_check,
)
