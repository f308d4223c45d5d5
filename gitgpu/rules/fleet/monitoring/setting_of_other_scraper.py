"""A setting of stack.metrics that only another scraper uses."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import Origin
from gitgpu.model.value_origins import is_written, shared_stacks, stack_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer

# for each setting: the scraper that uses it, and what for
READERS: Mapping[str, tuple[str, str]] = {
    "labels": ("prometheus-operator", "your own Prometheus selects by label"),
    "workspace": ("azure-managed", "Azure managed Prometheus writes to a workspace"),
    "identity": ("azure-managed", "Azure managed Prometheus authenticates KEDA"),
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Settings on clusters with another scraper, and in the Fleet if all clusters that they apply to have another."""
    for key, (scraper, use) in READERS.items():
        other_clusters = [cluster for cluster in inputs.clusters if cluster.stack.metrics.scrape != scraper]
        path = ("stack", "metrics", key)
        places: list[tuple[Cluster, Origin, Pointer]] = [
            (cluster, cluster.origin, ("spec", *path)) for cluster in other_clusters
        ]
        names = {cluster.name for cluster in other_clusters}
        for layer, clusters in shared_stacks(inputs):
            if names.issuperset(cluster.name for cluster in clusters):
                places.append((clusters[0], layer.origin, (*layer.at, *path)))
        for cluster, origin, where in places:
            if not is_written(origin, where):
                continue
            scrape = stack_place(cluster, "metrics", "scrape")
            here = with_place(f"scrape is {cluster.stack.metrics.scrape} on {cluster.name}", *scrape)
            message = f"{key} has no effect: only {use}, but {here}"
            yield Finding(origin, where, message, f"remove {key}, or set scrape: {scraper}")


RULE = Rule(
    code="MET064",
    name="setting-of-other-scraper",
    severity=Severity.WARNING,
    summary="stack.metrics has a field that has no effect with its scrape.",
    help="Azure managed Prometheus uses every scrape object of its kind, regardless of its labels. KEDA signs in to it "
    "with identity, but queries your own Prometheus without a token.",
    sources=(
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/configuration-reader-builder/main.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure/azure_managed_prometheus_http_round_tripper.go",
    ),
    check=_check,
)
