"""A cluster without a ring, in a fleet with rings."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule

FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso-ai}
spec:
  delivery: {repository: https://github.com/contoso/gpu-fleet}
"""
RINGS = """\
  rings:
  - {name: canary, clusters: [staging]}
  - {name: prod, clusters: {matchLabels: {env: prod}}}
"""
CLUSTERS = """\
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: staging}
spec: {region: swedencentral, kubernetesVersion: "1.36"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc, labels: {env: prod}}
spec: {region: swedencentral, kubernetesVersion: "1.36"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-weu}
spec: {region: westeurope, kubernetesVersion: "1.36"}
"""
BAD = FLEET + RINGS + CLUSTERS
GOOD = BAD.replace("{name: prod-weu}", "{name: prod-weu, labels: {env: prod}}")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters without a ring in a fleet with rings. A ring that matches no cluster may be meant for them."""
    has_rings = bool(inputs.fleet.rings) and all(inputs.rings.values())  # no ring is empty
    if not has_rings:
        return
    for cluster in inputs.clusters:
        if not cluster.ring:
            message = f"{cluster.name} is not in any ring: `gitgpu promote` never changes it"
            remedy = f"add it to one of the rings of the Fleet: {', '.join(inputs.fleet.rings)}"
            yield Finding(cluster.origin, ("metadata", "name"), message, remedy)


RULE = Rule(
    code="CLU012",
    name="cluster-without-ring",
    severity=Severity.WARNING,
    summary="A cluster is in none of the rings of the fleet.",
    help="Versions are promoted from ring to ring. A cluster without a ring gets only the defaults of the Fleet, as "
    "soon as they change, and `gitgpu promote` never reaches it.",
    sources=("https://learn.microsoft.com/azure/kubernetes-fleet/concepts-update-orchestration",),
    check=_check,
    bad=BAD,
    good=GOOD,
    near_misses=(FLEET + CLUSTERS,),
)
