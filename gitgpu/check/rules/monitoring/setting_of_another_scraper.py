"""Some settings of metrics are for one sort of scraper."""

from collections.abc import Iterator, Mapping

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import is_written, stack_place, with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.origin import Origin
from gitgpu.source import Pointer

READERS: Mapping[str, tuple[str, str]] = {
    "labels": ("prometheus-operator", "a Prometheus of your own selects by label"),
    "workspace": ("azure-managed", "Azure managed Prometheus writes to a workspace"),
    "identity": ("azure-managed", "Azure managed Prometheus asks who KEDA is"),
}
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: {metrics: {scrape: azure-managed, labels: {release: kube-prometheus-stack}}}
"""
GOOD = BAD.replace("azure-managed", "prometheus-operator")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Settings on clusters with another scraper, and the Fleet's where all clusters have another."""
    for key, (scraper, use) in READERS.items():
        others = [one for one in inputs.clusters if one.stack.metrics.scrape != scraper]
        path = ("stack", "metrics", key)
        places: list[tuple[Cluster, Origin, Pointer]] = [(one, one.origin, ("spec", *path)) for one in others]
        if others and len(others) == len(inputs.clusters):
            places.append((others[0], inputs.fleet.origin, ("spec", "defaults", *path)))
        for cluster, origin, where in (one for one in places if is_written(*one[1:])):
            scrape = stack_place(inputs, cluster, "metrics", "scrape")
            here = with_place(f"scrape is {cluster.stack.metrics.scrape} on {cluster.name}", *scrape)
            message = f"nobody reads {key}: only {use}, and {here}"
            yield Finding(origin, where, message, f"remove it, or write scrape: {scraper}")


RULE = Rule(
    code="MET064",
    name="setting-of-another-scraper",
    severity=Severity.WARNING,
    summary="stack.metrics has labels without a Prometheus of one's own, or what is for Azure's without that.",
    help="Azure managed Prometheus takes every scrape object of its kind, whatever its labels. identity is what KEDA "
    "shows to it; KEDA asks a Prometheus of your own without a token.",
    sources=(
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/configuration-reader-builder/main.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure/azure_managed_prometheus_http_round_tripper.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
