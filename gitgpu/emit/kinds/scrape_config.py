"""The scrape object for AKS managed GPU nodes, for a cluster's own Prometheus Operator.

Their exporter is a service of the node: there is no Service and no pod to select. Azure managed Prometheus has its own
scrape job for it.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.kinds import SCRAPE_CONFIG
from gitgpu.model.software.names import NAMESPACE
from gitgpu.model.spec.stack import Metrics
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.monitoring import NodeMonitor


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One ScrapeConfig for all managed nodes of a cluster."""
    if plan.node_monitor:
        body = _body(plan.node_monitor, plan.cluster.stack.metrics)
        yield Manifest(plan.cluster.name, Layer.MONITORING, body, plan.mark)


def _body(node_monitor: NodeMonitor, metrics: Metrics) -> Body:
    """Actions are written out: the API server adds them to the list, and Argo CD compares the list as a whole."""
    address = {"sourceLabels": ["__meta_kubernetes_node_address_InternalIP"], "targetLabel": "__address__"}
    return {
        "apiVersion": "monitoring.coreos.com/v1alpha1",
        "kind": SCRAPE_CONFIG.kind,
        "metadata": {"name": node_monitor.job, "namespace": NAMESPACE, "labels": dict(metrics.labels)},
        "spec": {
            "jobName": node_monitor.job,
            "kubernetesSDConfigs": [{"role": "Node", "selectors": [{"role": "Node", "label": node_monitor.label}]}],
            "relabelings": [
                {**address, "replacement": f"$1:{node_monitor.port}", "action": "replace"},
                {"sourceLabels": ["__meta_kubernetes_node_name"], "targetLabel": "instance", "action": "replace"},
            ],
            "scrapeInterval": metrics.interval,
        },
    }


EMITTER = Emitter(SCRAPE_CONFIG.kind, emit)
