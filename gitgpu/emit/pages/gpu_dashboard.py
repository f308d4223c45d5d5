"""The Grafana dashboard for Azure Managed Grafana, which takes it through its API."""

import json

from gitgpu.emit.dashboard import dashboard
from gitgpu.emit.page import Page
from gitgpu.plan.decided.cluster import ClusterPlan


def write(plan: ClusterPlan) -> str:
    """The dashboard, as `az grafana dashboard create` takes it."""
    if not plan.panels or plan.cluster.stack.metrics.scrape != "azure-managed":
        return ""
    return json.dumps(dashboard(plan), indent=1) + "\n"


PAGE = Page("gpu-dashboard.json", write)
