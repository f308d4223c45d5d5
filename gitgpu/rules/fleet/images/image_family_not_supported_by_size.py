"""The sizes of a pool must support its image family."""

from collections.abc import Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import BY_AKS, driver_on
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.model.software.node_images import release
from gitgpu.model.syntax.version import minor
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import group_clusters, pools_with_clusters
from gitgpu.rules.inputs.requested_sizes import wrong_sizes
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool, clusters in pools_with_clusters(inputs):
        affected_clusters = [cluster for cluster in clusters if _needs_aks_driver(cluster, pool)]
        for kubernetes, names in group_clusters(affected_clusters, lambda cluster: minor(cluster.kubernetes)).items():
            image = release(pool, kubernetes, inputs.catalog)
            # DRV014 reports a family that does not support the Kubernetes version.
            if not image:
                continue
            for where, sizes in wrong_sizes(pool, inputs.catalog, partial(_is_unsupported, image["skuOs"]), every=True):
                other = with_place(sizes, pool.origin, where)
                message = f"AKS has no GPU driver for {other} on {image['os']} ({join_names(names)})"
                yield Finding(pool.origin, ("spec", "image", "family"), message, "set image.family: Ubuntu")


def _needs_aks_driver(cluster: Cluster, pool: Pool) -> bool:
    """Karpenter drops the sizes in any case, AKS rejects a node pool only if it installs the driver."""
    own = pool.by_karpenter or any(sku.manufacturer == "amd" for sku in pool.skus)
    return own or driver_on(cluster, pool) in BY_AKS


def _is_unsupported(system: str, sku: Sku) -> bool:
    """Whether the size supports other operating systems, but not this one."""
    return bool(sku.os) and system not in sku.os


RULE = Rule(
    code="DRV007",
    name="image-family-not-supported-by-size",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="The sizes of a pool do not support its image family.",
    help="Karpenter drops sizes for which AKS has no GPU driver on the image family, so the pool stays empty. Nodes of "
    "an AKS node pool start without the driver.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
    ),
    facts=("skus", "images"),
    check=_check,
)
