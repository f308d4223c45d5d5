"""A pool must not name a size that the Karpenter release of the cluster does not list."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import karpenter_pools_with_clusters
from gitgpu.rules.inputs.karpenter import behind, since_when
from gitgpu.rules.inputs.requested_sizes import named_sizes
from gitgpu.spelling import join_names

REMEDY = "use another size until AKS updates Karpenter there, or correct the Cluster's karpenter"


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Sizes by name. With requirements, Karpenter chooses among the sizes that it lists."""
    for pool, clusters in karpenter_pools_with_clusters(inputs):
        for where, sku in named_sizes(pool, inputs.catalog):
            if not sku.since:
                continue
            for release, names in behind(clusters, sku.since, inputs).items():
                news = f"{sku.name} needs Karpenter {sku.since}, {since_when(sku.since, inputs)}"
                message = f"{news}; {join_names(names)} runs {release}"
                yield Finding(pool.origin, where, message, REMEDY)


RULE = Rule(
    code="SKU012",
    name="size-newer-than-karpenter",
    severity=Severity.WARNING,
    summary="A pool uses a size that the Karpenter release of the cluster does not list.",
    help="Each Karpenter release for Azure has its own list of GPU sizes and its own parser for their names, and "
    "drops sizes that it does not know or cannot parse. AKS updates Karpenter region by region, so this is a warning.",
    sources=(
        "https://github.com/Azure/AKS/blob/8d1c890900df47080a5a3a0de0ad06da110af845/CHANGELOG.md",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
    ),
    facts=("skus",),
    check=_check,
)
