"""GPUs in Container insights: what its agent is configured to scrape."""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.view import View
from gitgpu.model.names.kinds import CONFIG_MAP

_PATH = ("metrics", "containerInsights")
_AGENT = "container-azm-ms-agentconfig"


def infer(view: View) -> Iterator[Evidence]:
    """`utilization` if the agent's ConfigMap lists GPU metrics, `inventory` if AKS runs the agent."""
    for item in view.objects.by_name(*CONFIG_MAP, _AGENT):
        for key, text in mapping_at(item.body, "data").items():
            if "DCGM_" in str(text):
                reason = f"ConfigMap {_AGENT} lists GPU metrics"
                yield Evidence(_PATH, "utilization", reason, view.original(item), ("data", key))
                return
    if view.cluster.azure.addons.get("logs"):
        reason = "Container insights runs, and collects the GPU capacity of nodes"
        yield Evidence(_PATH, "inventory", reason, view.bare)
