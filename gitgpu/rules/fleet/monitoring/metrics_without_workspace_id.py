"""A cluster that queries an Azure Monitor workspace without its ID."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.servers import of_azure, of_default_workspace
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_asking_prometheus


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters that Azure scrapes and that query a workspace, if the runbook cannot name it."""
    asking = clusters_asking_prometheus(inputs)
    findings: dict[object, Finding] = {}
    for cluster in inputs.clusters:
        metrics = cluster.stack.metrics
        # The workspace does not matter if neither scaling nor alerts query it.
        if metrics.scrape != "azure-managed" or metrics.workspace or not (cluster.name in asking or metrics.alerts):
            continue
        # Metrics go to the default workspace anyway. SCL025 reports the server of another Prometheus.
        if not of_azure(metrics.server, inputs.catalog) or of_default_workspace(metrics.server):
            continue
        origin, where = stack_place(cluster, "metrics", "server")
        default = f"DefaultAzureMonitorWorkspace-{cluster.region}"
        message = f"without workspace, the metrics go to the default workspace of the region, such as {default}"
        remedy = "set workspace to the ID that `az monitor account show --query id` prints for this server's workspace"
        findings.setdefault((origin.ref, where), Finding(origin, where, message, remedy))
    yield from findings.values()


RULE = Rule(
    code="MET065",
    name="metrics-without-workspace-id",
    severity=Severity.WARNING,
    summary="Azure scrapes the GPU metrics and a workspace is queried for them, but stack.metrics.workspace is "
    "missing.",
    help="Without the ID of a workspace, `az aks update --enable-azure-monitor-metrics` sends the metrics to the "
    "default workspace of the region, and creates it if it is missing. The endpoint of another workspace then returns "
    "no data, and nothing scales. Once metrics are enabled, the command ignores the ID.",
    sources=(
        "https://github.com/Azure/azure-cli/blob/08d2306d3ab6fd1486d2165ad124e6be91ab5d38/src/azure-cli/azure/cli/command_modules/acs/azuremonitormetrics/amw/helper.py",
        "https://github.com/Azure/azure-cli/blob/a19b718543cab545cd2470856c978c06bf9091d7/src/azure-cli/azure/cli/command_modules/acs/azuremonitormetrics/azuremonitorprofile.py",
    ),
    facts=("clouds/*",),
    check=_check,
)
