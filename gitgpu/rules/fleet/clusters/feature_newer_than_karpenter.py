"""A pool must not use a feature that the Karpenter release of the cluster does not have."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import BY_AKS, driver_on
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import karpenter_pools_with_clusters
from gitgpu.rules.inputs.karpenter import behind, since_when
from gitgpu.source import Pointer
from gitgpu.spelling import join_names

Use = Callable[[Pool, Cluster], bool]
BOUNDS = ("Gte", "Lte")

USES: Mapping[str, tuple[Pointer, Use]] = {
    "gpu-mode": (("driver",), lambda pool, cluster: driver_on(cluster, pool) not in BY_AKS),
    "artifact-streaming": (("image", "artifactStreaming"), lambda pool, _: bool(pool.image.get("artifactStreaming"))),
    "placement-scope": (("placement",), lambda pool, _: pool.placement is not None),
    "balanced-consolidation": (
        ("disruption", "consolidationPolicy"),
        lambda pool, _: pool.disruption["consolidationPolicy"] == "Balanced",
    ),
    "static-pools": (("replicas",), lambda pool, _: pool.objects.replicas is not None),
    "inclusive-bounds": (("nodeRequirements",), lambda pool, _: _first_bound(pool) is not None),
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Uses of a feature on clusters whose Karpenter release is known to be older."""
    for name, (where, uses) in USES.items():
        for pool, clusters in karpenter_pools_with_clusters(inputs):
            users: Sequence[Cluster] = [cluster for cluster in clusters if uses(pool, cluster)]
            if not users:
                continue
            row = inputs.catalog.must("features", name)
            for release, names in behind(users, row["since"], inputs).items():
                news = f"{row['field']}: requires Karpenter {row['since']}, {since_when(row['since'], inputs)}"
                message = f"{news}; {join_names(names)} runs {release}"
                remedy = (
                    "remove the cluster from the pool until AKS updates Karpenter, or correct the Cluster's karpenter"
                )
                path = (*where, _first_bound(pool) or 0, "operator") if name == "inclusive-bounds" else where
                yield Finding(*pool_place(pool, *path), message, remedy, row)


def _first_bound(pool: Pool) -> int | None:
    """The first of the pool's own requirements with an inclusive bound."""
    operators = (requirement["operator"] for requirement in pool.node_requirements)
    return next((index for index, operator in enumerate(operators) if operator in BOUNDS), None)


RULE = Rule(
    code="CLU004",
    name="feature-newer-than-karpenter",
    severity=Severity.WARNING,
    summary="A pool uses a feature that the Karpenter release of the cluster does not have.",
    help="AKS runs one Karpenter release on clusters of every Kubernetes version, and updates it region by region. "
    "Karpenter drops or rejects fields that it does not know. The cluster may have a newer release than the catalog "
    "expects, so this is a warning.",
    sources=(
        "https://github.com/Azure/AKS/blob/8d1c890900df47080a5a3a0de0ad06da110af845/CHANGELOG.md",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/aksnodeclass.go",
    ),
    check=_check,
)
