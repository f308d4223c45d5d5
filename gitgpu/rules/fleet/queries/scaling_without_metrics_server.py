"""Scaling on a cluster without the address of its Prometheus, or without the identity that Azure requires."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import SpecPlace
from gitgpu.model.spec.stack import Metrics
from gitgpu.model.value_origins import is_written, stack_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import asks_prometheus, scaled_workloads
from gitgpu.spelling import join_names

REMEDIES = {
    "server": "set stack.metrics.server, the Prometheus query endpoint (Azure: that of the Azure Monitor workspace)",
    "identity": "set stack.metrics.identity, the client ID of an identity with the role Monitoring Data Reader",
}
SCALING = ("spec", "scaling")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """One finding for each missing key: at the configuration of metrics, or at a workload that needs the key."""
    users: dict[str, dict[str, Workload]] = {}
    for workload, scaling, clusters in scaled_workloads(inputs):
        if not asks_prometheus(scaling):
            continue
        for cluster in clusters:
            users.setdefault(cluster.name, {})[workload.name] = workload
    for field in REMEDIES:
        asking_clusters = (cluster for cluster in inputs.clusters if cluster.name in users)
        lacking_clusters = [cluster for cluster in asking_clusters if field in _missing(cluster.stack.metrics)]
        workloads: dict[str, Workload] = {}
        for cluster in lacking_clusters:
            workloads |= users[cluster.name]
        if lacking_clusters:
            yield _finding(inputs, field, lacking_clusters, [workloads[name] for name in sorted(workloads)])


def _finding(inputs: Inputs, field: str, clusters: list[Cluster], workloads: list[Workload]) -> Finding:
    place = _place(inputs, clusters) or SpecPlace(workloads[0].origin, SCALING)
    names = []
    for workload in workloads:
        is_here = place == (workload.origin, SCALING)
        names.append(workload.name if is_here else with_place(workload.name, workload.origin, SCALING))
    on = join_names([cluster.name for cluster in clusters])
    return Finding(*place, f"scaling {join_names(names)} needs stack.metrics.{field} on {on}", REMEDIES[field])


def _missing(metrics: Metrics) -> Iterator[str]:
    if metrics.server is None:
        yield "server"
    # Where Azure does not scrape, gitgpu configures no credentials for KEDA.
    if metrics.identity is None and metrics.scrape == "azure-managed":
        yield "identity"


def _place(inputs: Inputs, clusters: list[Cluster]) -> SpecPlace | None:
    """The single place that configures the metrics of the clusters, or the Fleet's defaults."""
    places = [stack_place(cluster, "metrics") for cluster in clusters]
    if is_written(*places[0]) and len({(place.origin.ref, place.pointer) for place in places}) == 1:
        return places[0]
    shared = SpecPlace(inputs.fleet.origin, ("spec", "defaults", "stack", "metrics"))
    return shared if is_written(*shared) else None


RULE = Rule(
    code="SCL006",
    name="scaling-without-metrics-server",
    severity=Severity.ERROR,
    summary="A workload scales on a cluster without the address of Prometheus, or without the identity to read it.",
    help="A Prometheus trigger needs the address of the server. Azure managed Prometheus also requires a token: KEDA "
    "gets it through workload identity, as a managed identity that may read the Azure Monitor workspace.",
    sources=(
        "https://learn.microsoft.com/azure/aks/autoscale-gpu-workloads-with-keda",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
    ),
    check=_check,
)
