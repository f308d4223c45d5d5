"""The Grafana dashboard about GPUs, as the ConfigMap that the sidecar of kube-prometheus-stack looks for.

Azure Managed Grafana does not read ConfigMaps: for it, the dashboard is a page.
"""

import json
from collections.abc import Iterator

from gitgpu.emit.dashboard import dashboard
from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.scrape import home
from gitgpu.plan.decided.cluster import ClusterPlan

NAME = "gitgpu-dashboard"


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One ConfigMap with one dashboard, in the namespace of the first scrape object."""
    if plan.panels and plan.cluster.stack.metrics.scrape == "prometheus-operator":
        meta = {
            "name": NAME,
            "namespace": home(plan),
            "labels": {"grafana_dashboard": "1"},
            "annotations": {"grafana_folder": "GPUs"},
        }
        text = json.dumps(dashboard(plan), indent=1) + "\n"
        data = {f"gpus-{plan.cluster.name}.json": text}
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": data}
        yield Manifest(plan.cluster.name, Layer.MONITORING, body, plan.mark)


EMITTER = Emitter("Grafana dashboard", emit)
