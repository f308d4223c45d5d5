"""The ConfigMap of Container insights' agent, which makes it scrape GPU metrics from the exporters of its node.

The agent reads only one ConfigMap, and scrapes only pods that have the annotation.
"""

import json
from collections.abc import Iterator

from gitgpu.emit.emitter import Emitter, config_map
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.monitoring import Insights


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The ConfigMap, if there is something to scrape."""
    if plan.insights and plan.insights.namespaces:
        data = {
            "schema-version": "v1",
            "config-version": "gitgpu",
            "prometheus-data-collection-settings": _settings(plan.insights),
        }
        body = config_map("container-azm-ms-agentconfig", "kube-system", data)
        yield Manifest(plan.cluster.name, Layer.MONITORING, body, plan.mark)


def _settings(insights: Insights) -> str:
    """The settings as TOML, which writes lists of strings as JSON does."""
    return "".join(
        (
            "[prometheus_data_collection_settings.cluster]\n",
            'interval = "1m"\n',
            f"fieldpass = {json.dumps(insights.fields)}\n",
            "monitor_kubernetes_pods = true\n",
            f"monitor_kubernetes_pods_namespaces = {json.dumps(insights.namespaces)}\n",
        )
    )


EMITTER = Emitter("Container insights' agent", emit)
