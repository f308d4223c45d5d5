"""Some settings have an effect on AKS node pools only."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import KARPENTER, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import SpecPlace
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.unused_values import unused_values
from gitgpu.source import Pointer

DISK: Pointer = ("image", "ephemeralOSDisk")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Defaults for agentPool where no cluster has AKS node pools, and disks that no pool can choose."""
    for origin, where in _defaults(inputs):
        if origin.holds(where):
            message = "agentPool has no effect: it applies to AKS node pools only, and Karpenter creates the nodes"
            yield Finding(origin, where, message, "remove it, or set a different provisioner for a pool")
    for origin, where in unused_values(inputs, DISK, _changes_nothing):
        message = "ephemeralOSDisk: false has no effect: Karpenter uses the local disk wherever the OS disk fits on it"
        yield Finding(origin, where, message, "remove it")


def _defaults(inputs: Inputs) -> Iterator[SpecPlace]:
    aks_clusters = {cluster.name for cluster, pool in inputs.placements() if not pool.by_karpenter}
    without = [
        cluster for cluster in inputs.clusters if cluster.provisioner == KARPENTER and cluster.name not in aks_clusters
    ]
    # A single cluster with AKS node pools uses the defaults of the Fleet.
    if without and len(without) == len(inputs.clusters):
        yield SpecPlace(inputs.fleet.origin, ("spec", "defaults", "pool", "agentPool"))
    yield from (SpecPlace(cluster.origin, ("spec", "pool", "agentPool")) for cluster in without)


def _changes_nothing(pool: Pool) -> bool:
    """Whether it is false on a Karpenter pool, and true in no defaults."""
    # false has an effect if it overrides the true of some defaults.
    under = (layer.values.get("image", {}).get("ephemeralOSDisk") for layer in pool.origin.defaults)
    return pool.by_karpenter and pool.image.get("ephemeralOSDisk") is False and not any(under)


RULE = Rule(
    code="AGP022",
    name="node-pool-setting-without-effect",
    severity=Severity.WARNING,
    summary="A setting for AKS node pools is used on clusters where Karpenter creates all nodes.",
    help="Defaults for agentPool are for AKS node pools. An AKSNodeClass has no field "
    "for the type of the OS disk: Karpenter chooses a local disk if the size has a large enough one.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/node-auto-provisioning.md",
    ),
    check=_check,
)
