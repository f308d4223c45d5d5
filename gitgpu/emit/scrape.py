"""What all scrape objects share: neither scraper reads the other's API group."""

from gitgpu.model.stack import Metrics

GROUPS = {"azure-managed": "azmonitoring.coreos.com/v1", "prometheus-operator": "monitoring.coreos.com/v1"}
AZURE_LIMITS = {"labelLimit": 63, "labelNameLengthLimit": 511, "labelValueLengthLimit": 1023}


def limits(metrics: Metrics) -> dict[str, int]:
    """The limits that Azure's scraper sets on an object that says none; none for a Prometheus of one's own."""
    return AZURE_LIMITS if metrics.scrape == "azure-managed" else {}
