"""Two clusters must not be delivered to one destination."""

from collections import defaultdict
from collections.abc import Iterator

from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import is_written, with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.source import Pointer

WHERE: Pointer = ("spec", "delivery", "destination")
INSIDE = "in-cluster"
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso-ai}
spec:
  delivery: {engine: argocd, repository: https://github.com/contoso/gpu-fleet, destination: hub}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.34"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-eus}
spec: {region: eastus, kubernetesVersion: "1.34"}
"""
GOOD = BAD.replace(", destination: hub", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Argo CD's names of clusters that several clusters of the fleet share; in-cluster is another one each time."""
    sharing: defaultdict[str, list[Cluster]] = defaultdict(list)
    for cluster in inputs.clusters:
        if cluster.delivery.engine == "argocd":
            sharing[cluster.delivery.destination or cluster.name].append(cluster)
    for destination, clusters in sorted(sharing.items()):
        if len(clusters) > 1 and destination != INSIDE:
            own = next((one.origin for one in clusters if is_written(one.origin, WHERE)), inputs.fleet.origin)
            names = join_names(
                [one.name if one.origin is own else with_place(one.name, one.origin, WHERE) for one in clusters]
            )
            message = f"Argo CD would apply {names} all to the one cluster that it knows as '{destination}'"
            remedy = "remove destination, or give each Cluster one of its own under spec.delivery"
            yield Finding(own, WHERE, message, remedy)


RULE = Rule(
    code="DLV002",
    name="clusters-with-one-destination",
    severity=Severity.ERROR,
    summary="Several clusters of the fleet name one destination of Argo CD.",
    help="destination is the name under which Argo CD knows a cluster. Two clusters with one destination end up on top "
    "of each other, and each sync removes what the other has made.",
    sources=(
        "https://github.com/argoproj/argo-cd/blob/f8f448b1a8a3df161cdc37f4ae1b6dc73b2b7280/docs/operator-manual/declarative-setup.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
