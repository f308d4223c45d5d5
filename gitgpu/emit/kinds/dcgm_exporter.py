"""NVIDIA's DCGM exporter, for nodes whose driver AKS installs: GPU metrics, each with the pod that uses the GPU."""

from collections.abc import Iterator

from gitgpu.emit.chart.counters import config_map_name, csv, settings
from gitgpu.emit.emitter import NODE_NAME, Body, Emitter, config_map, daemon_set, environment
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.pod.resources import resources
from gitgpu.model.names.labels import APP_INSTANCE_LABEL, APP_NAME_LABEL
from gitgpu.model.software.names import NAMESPACE
from gitgpu.model.spec.stack import Metrics
from gitgpu.plan.decided.cluster import ClusterPlan, Exporter

APP = {APP_NAME_LABEL: "dcgm-exporter"}
PORT = 9400  # the default of the exporter
FOLDER, FILE = "/etc/dcgm-exporter/gitgpu", "counters.csv"
SCRAPED = {"prometheus.io/scrape": "true", "prometheus.io/port": str(PORT)}  # by Container insights' agent
POD_RESOURCES = "/var/lib/kubelet/pod-resources"


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The DaemonSets and the list of fields of each exporter, and one Service for all of them."""
    where, mark = plan.cluster.name, plan.mark
    for exporter in plan.exporters:
        counters = config_map(_list(exporter), NAMESPACE, {FILE: csv(exporter.counters)})
        yield Manifest(where, Layer.CONTROLLERS, counters, mark)
        labels = {**APP, APP_INSTANCE_LABEL: exporter.name}
        for placement in exporter.placements:
            pod = _pod(exporter, plan.cluster.stack.metrics)
            body = daemon_set(exporter.name, NAMESPACE, labels, placement, pod)
            if plan.insights and plan.insights.namespaces:
                body["spec"]["template"]["metadata"]["annotations"] = SCRAPED
            yield Manifest(where, Layer.CONTROLLERS, body, mark, rows=exporter.rows)
    if plan.exporters:
        yield Manifest(where, Layer.CONTROLLERS, _service(), mark)


def _list(exporter: Exporter) -> str:
    return config_map_name(exporter.name, exporter.counters)


def _service() -> Body:
    ports = [{"name": "metrics", "port": PORT, "targetPort": "metrics", "protocol": "TCP"}]
    meta = {"name": "dcgm-exporter", "namespace": NAMESPACE, "labels": APP}
    return {"apiVersion": "v1", "kind": "Service", "metadata": meta, "spec": {"selector": APP, "ports": ports}}


def _pod(exporter: Exporter, metrics: Metrics) -> Body:
    return {
        "automountServiceAccountToken": False,
        "containers": [_container(exporter, metrics)],
        "volumes": [
            {"name": "counters", "configMap": {"name": _list(exporter)}},
            {"name": "pod-resources", "hostPath": {"path": POD_RESOURCES, "type": "Directory"}},
        ],
    }


def _container(exporter: Exporter, metrics: Metrics) -> Body:
    probe = {"httpGet": {"path": "/health", "port": "metrics"}}
    return {
        "name": "dcgm-exporter",
        "image": exporter.image,
        "args": ["-f", f"{FOLDER}/{FILE}"],
        "env": _environment(exporter),
        "ports": [{"name": "metrics", "containerPort": PORT, "protocol": "TCP"}],
        "livenessProbe": {**probe, "initialDelaySeconds": metrics.liveness_delay, "periodSeconds": 10},
        "readinessProbe": {**probe, "initialDelaySeconds": metrics.readiness_delay, "periodSeconds": 10},
        "resources": resources("100m", exporter.memory),
        "securityContext": _rights(exporter),
        "volumeMounts": [
            {"name": "counters", "mountPath": FOLDER, "readOnly": True},
            {"name": "pod-resources", "mountPath": POD_RESOURCES, "readOnly": True},
        ],
    }


def _rights(exporter: Exporter) -> Body:
    """Root can read the kubelet's socket. Only profiling needs another capability."""
    added = {"add": ["SYS_ADMIN"]} if exporter.profiling else {}
    return {
        "runAsUser": 0,
        "runAsNonRoot": False,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"], **added},
    }


def _environment(exporter: Exporter) -> list[Body]:
    values = {
        "DCGM_EXPORTER_LISTEN": f":{PORT}",
        "DCGM_EXPORTER_KUBERNETES": "true",
        **settings(exporter.interval, shared=exporter.shared),
        "GOMAXPROCS": "2",  # before Go 1.25 the default is all CPUs of the node, each with its own memory
    }
    return [*environment(values), NODE_NAME]


EMITTER = Emitter("DCGM exporter", emit)
