"""gitgpu sets the tag for AKS-managed GPU software."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import AKS_ONLY, BY_AKS, MANAGED_TAG, driver_on
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters

_WITH_PLUGIN = tuple(driver for driver in BY_AKS if driver != AKS_ONLY)


def _check(inputs: Inputs) -> Iterator[Finding]:
    """The tag in any case: Azure tag names are not case-sensitive."""
    for pool, clusters in pools_with_clusters(inputs):
        # With aks-only, AKS may be the other owner, on a node pool that was created with the tag. Where AKS does not
        # install the driver, the tag has no effect.
        if clusters and not any(driver_on(cluster, pool) in _WITH_PLUGIN for cluster in clusters):
            continue
        for key, value in sorted(pool.tags.items()):
            if key.lower() == MANAGED_TAG.lower() and value.lower() == "true":
                message = f"tag {key} makes AKS install a second device plugin in addition to the one in the spec"
                remedy = "remove it; set driver: managed to have AKS manage the GPU software"
                yield Finding(*pool_place(pool, "tags", key), message, remedy)


RULE = Rule(
    code="SCH012",
    name="managed-gpu-tag-in-spec",
    severity=Severity.ERROR,
    summary="A pool sets the tag for AKS-managed GPU software.",
    help="AKS reads the tag when a node starts and installs its own device plugin and exporter. gitgpu sets it with "
    "driver: managed. With driver: aks there would be two of each.",
    sources=(
        "https://learn.microsoft.com/azure/aks/aks-managed-gpu-nodes",
        "https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources",
    ),
    check=_check,
)
