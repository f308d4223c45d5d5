"""KEDA from its chart on an AKS Automatic cluster, which has KEDA already."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.node.agent_pools import clusters
from gitgpu.objects.node.automatic import is_automatic
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_ADD_ON = ("spec", "workloadAutoScalerProfile", "keda", "enabled")


def _check(objects: Objects) -> Iterator[Finding]:
    found = [release for release in releases(objects, "keda") if not release.cluster]
    # If a ManagedCluster has the add-on written out, KED027 reports the chart.
    written = any(reach(item.body, *_ADD_ON) is True for item in clusters(objects))
    for release in found if found and not written and is_automatic(objects) else ():
        message = "AKS Automatic always has KEDA, and a cluster cannot have two"
        identity = release.item.identity
        what = f"{identity.kind} {identity.name}" if identity.name else "the chart"  # values in a file have no name
        yield Finding(release.item, ("metadata", "name"), message, f"remove {what}, and use the KEDA of the cluster")


RULE = Rule(
    code="APL116",
    name="keda-chart-on-automatic",
    twin="AUT005",
    severity=Severity.ERROR,
    summary="KEDA is installed from its chart on an AKS Automatic cluster.",
    help="KEDA is on in every AKS Automatic cluster. It owns the cluster-wide objects of KEDA: the custom resource "
    "definitions and the API of external metrics. Helm refuses to install its chart over objects of another owner.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/keda-about.md",
    ),
    check=_check,
)
