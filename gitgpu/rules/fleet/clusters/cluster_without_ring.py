"""A cluster without a ring, in a fleet with rings."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule


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
)
