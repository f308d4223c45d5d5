"""The Grafana dashboard for Azure Managed Grafana, which is created through its API."""

import json

from gitgpu.emit.dashboard import dashboard
from gitgpu.emit.page import Page
from gitgpu.load.generated import BY, advice
from gitgpu.plan.decided.cluster import ClusterPlan

NAME = "gpu-dashboard.json"


def write(plan: ClusterPlan) -> str:
    """The dashboard in the format of `az grafana dashboard create`."""
    if not plan.panels or plan.cluster.stack.metrics.scrape != "azure-managed":
        return ""
    header = {"description": f"{BY}. {advice(f'{plan.cluster.name}/runbook/{NAME}')}"}  # JSON has no comments
    return json.dumps({**header, **dashboard(plan)}, indent=1) + "\n"


PAGE = Page(NAME, write)
