"""Several clusters with the same destination of Argo CD."""

from collections import defaultdict
from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import Origin
from gitgpu.model.value_origins import is_written, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer
from gitgpu.spelling import join_names

WHERE: Pointer = ("spec", "delivery", "destination")
INSIDE = "in-cluster"  # the cluster that Argo CD runs in: a different one for each Argo CD


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Argo CD destinations that several clusters of the fleet share."""
    sharing: defaultdict[str, list[Cluster]] = defaultdict(list)
    for cluster in inputs.clusters:
        if cluster.delivery.engine == "argocd":
            # Without a destination, gitgpu writes the name of the Cluster.
            sharing[cluster.delivery.destination or cluster.name].append(cluster)
    for destination, clusters in sorted(sharing.items()):
        if len(clusters) > 1 and destination != INSIDE:
            origins = (cluster.origin for cluster in clusters if is_written(cluster.origin, WHERE))
            origin = next(origins, inputs.fleet.origin)
            names = join_names([_named(cluster, origin) for cluster in clusters])
            message = f"Argo CD would apply {names} to the same cluster '{destination}'"
            remedy = "remove destination, or give each Cluster its own under spec.delivery"
            yield Finding(origin, WHERE, message, remedy)


def _named(cluster: Cluster, origin: Origin) -> str:
    """The cluster, with the place of its destination unless the finding is about that place."""
    return cluster.name if cluster.origin is origin else with_place(cluster.name, cluster.origin, WHERE)


RULE = Rule(
    code="DLV002",
    name="clusters-with-same-destination",
    severity=Severity.ERROR,
    summary="Several clusters of the fleet have the same destination of Argo CD.",
    help="destination is the name of a cluster in Argo CD. Two clusters with the same destination are applied to the "
    "same cluster, and each sync removes the objects of the other.",
    sources=(
        "https://github.com/argoproj/argo-cd/blob/f8f448b1a8a3df161cdc37f4ae1b6dc73b2b7280/docs/operator-manual/declarative-setup.md",
    ),
    check=_check,
)
