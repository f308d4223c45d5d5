"""KEDA queries Azure managed Prometheus without a token."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.servers import of_azure
from gitgpu.model.value_origins import stack_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_asking_prometheus


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with workloads that scale, whose server requires a token that gitgpu does not configure."""
    asking = clusters_asking_prometheus(inputs)
    findings: dict[object, Finding] = {}
    for cluster in inputs.clusters:
        metrics = cluster.stack.metrics
        if cluster.name in asking and metrics.scrape != "azure-managed" and of_azure(metrics.server, inputs.catalog):
            origin, where = stack_place(cluster, "metrics", "server")
            scraped = with_place(f"scrape: {metrics.scrape}", *stack_place(cluster, "metrics", "scrape"))
            message = f"with {scraped}, KEDA on {cluster.name} queries this server without a token"
            remedy = "set scrape: azure-managed, or the address of the Prometheus that scrapes the cluster"
            findings[origin.ref, where] = Finding(origin, where, message, remedy)
    yield from findings.values()


RULE = Rule(
    code="SCL024",
    name="azure-prometheus-without-token",
    twin="KED036",
    severity=Severity.ERROR,
    summary="KEDA queries Azure managed Prometheus without a token.",
    help="gitgpu configures a managed identity for KEDA where Azure scrapes the cluster. Elsewhere KEDA sends no "
    "credentials, and Azure's endpoint rejects each query.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure/azure_managed_prometheus_http_round_tripper.go",
        "https://learn.microsoft.com/azure/aks/autoscale-gpu-workloads-with-keda",
    ),
    check=_check,
)
