"""A pool must not need what the cluster's Karpenter does not know yet."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from gitgpu.check.clusters import spread_by_karpenter
from gitgpu.check.karpenter import behind
from gitgpu.check.phrase import listed
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import BY_AKS, Inputs, driver_on
from gitgpu.source import Pointer

Use = Callable[[Pool, Cluster], bool]

USES: Mapping[str, tuple[Pointer, Use]] = {
    "gpu-mode": (("spec", "driver"), lambda pool, cluster: driver_on(cluster, pool) not in BY_AKS),
    "artifact-streaming": (
        ("spec", "image", "artifactStreaming"),
        lambda pool, _: bool(pool.image.get("artifactStreaming")),
    ),
    "placement-scope": (("spec", "placement"), lambda pool, _: pool.placement is not None),
    "balanced-consolidation": (
        ("spec", "disruption", "consolidationPolicy"),
        lambda pool, _: pool.disruption["consolidationPolicy"] == "Balanced",
    ),
}
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.35"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100}
spec:
  clusters: [prod-swc]
  sku: Standard_ND96isr_H100_v5
  limits: {gpus: 8}
  driver: operator
"""
GOOD = BAD.replace("1.35", "1.36")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Each use of a feature on clusters whose release is known to be older."""
    for name, (where, uses) in USES.items():
        row = inputs.catalog.must("features", name)
        for pool, clusters in spread_by_karpenter(inputs):
            users: Sequence[Cluster] = [cluster for cluster in clusters if uses(pool, cluster)]
            for release, names in behind(users, row["since"], inputs.catalog).items():
                message = f"{row['field']} needs Karpenter {row['since']}; {listed(names)} runs {release}"
                remedy = "use a newer Kubernetes version there, or keep the pool off it"
                yield Finding(pool.origin, where, message, remedy)


RULE = Rule(
    code="CLU004",
    name="feature-newer-than-karpenter",
    severity=Severity.WARNING,
    summary="The pool needs something that the cluster's release of Karpenter does not have yet.",
    help="AKS runs one release of Karpenter for each Kubernetes version, and a field that it does not know is dropped "
    "or refused. AKS may have moved on since the catalog was verified, so this is a warning.",
    sources=(
        "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/aksnodeclass.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
