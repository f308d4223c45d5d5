"""Two servers for external metrics."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.node.agent_pools import clusters
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_ADD_ON = ("spec", "workloadAutoScalerProfile", "keda", "enabled")


def _check(objects: Objects) -> Iterator[Finding]:
    has_add_on = any(reach(item.body, *_ADD_ON) is True for item in clusters(objects))
    by_cluster: dict[str, list[str]] = {"": ["the KEDA add-on for AKS"] if has_add_on else []}
    for release in (*releases(objects, "keda"), *releases(objects, "prometheus-adapter")):
        if not _serves(release):
            continue
        owners = by_cluster.setdefault(release.cluster, [])
        # Two KEDA releases can be for two clusters, unless all objects belong to one cluster.
        if owners and (objects.closed or release.chart != "keda" or has_add_on):
            message = (
                f"the chart {release.chart} registers external.metrics.k8s.io, which {owners[0]} already registers"
            )
            remedy = "remove one of the KEDA installations, or the external rules of the adapter"
            yield Finding(release.item, _place(release), message, remedy)
        owners.append(f"the chart {release.chart}")


def _serves(release: Release) -> bool:
    return release.chart == "keda" or bool(release.value("rules", "external"))


def _place(release: Release) -> tuple[str | int, ...]:
    return release.place("rules", "external") if release.chart != "keda" else ("metadata", "name")


RULE = Rule(
    code="KED027",
    name="two-external-metrics-servers",
    severity=Severity.ERROR,
    summary="KEDA is installed twice, or together with a prometheus-adapter that has external rules.",
    help="A cluster has one server for external.metrics.k8s.io. The last one to register replaces the other, and "
    "autoscalers that use the other get no metrics.",
    sources=(
        "https://learn.microsoft.com/azure/aks/keda-about",
        "https://keda.sh/docs/2.18/troubleshooting/",
    ),
    check=_check,
)
