"""What all scrape objects share. Each scraper reads only its own API group."""

from gitgpu.model.names.groups import AZURE_MONITORING_V1, MONITORING_V1
from gitgpu.model.software.names import NAMESPACE
from gitgpu.model.spec.stack import Metrics
from gitgpu.plan.decided.cluster import ClusterPlan

GROUPS = {"azure-managed": AZURE_MONITORING_V1, "prometheus-operator": MONITORING_V1}
# The limits of Azure's templates: its add-on may drop the metrics of an object without them
# (https://learn.microsoft.com/azure/azure-monitor/containers/prometheus-metrics-scrape-crd).
AZURE_LIMITS = {"labelLimit": 63, "labelNameLengthLimit": 511, "labelValueLengthLimit": 1023}


def limits(metrics: Metrics) -> dict[str, int]:
    """The limits of an object for Azure's scraper; none for the user's own Prometheus."""
    return AZURE_LIMITS if metrics.scrape == "azure-managed" else {}


def home(plan: ClusterPlan) -> str:
    """The namespace of the alert rules and the dashboard: the first monitor's."""
    return plan.monitors[0].namespace if plan.monitors else NAMESPACE
