"""AKS-managed GPU nodes are a preview feature."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
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
    feature = preview("managed-gpu-nodes", inputs.catalog)
    if feature is None:
        return
    for pool, clusters in pools_with_clusters(inputs):
        managed = [cluster for cluster in clusters if driver_on(cluster, pool) == MANAGED]
        # WIN002 reports managed GPUs on Windows.
        if managed and not pool.windows:
            of_pool = SpecPlace(pool.origin, ("spec", "driver"))
            place = of_pool if pool.driver else stack_place(managed[0], "driver")
            yield Finding(*place, feature.message, feature.remedy(RULE.code))
            return


RULE = Rule(
    code="DRV070",
    name="managed-gpus-in-preview",
    severity=Severity.WARNING,
    summary="The fleet has pools with driver: managed.",
    help="The subscription must register for the preview, which may change or end. This setting is fixed "
    "when a node pool is created: to leave the preview, create another pool.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
    ),
    check=_check,
)
