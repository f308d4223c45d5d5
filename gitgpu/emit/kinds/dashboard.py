"""A Grafana dashboard of a cluster's GPUs, as the ConfigMap that the sidecar of kube-prometheus-stack looks for.

The exporter writes the node's name as Hostname or as hostname, by its version: joined, they are the one there is.
"""

import json
from collections.abc import Iterator
from hashlib import sha256

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.plan.decision import ClusterPlan
from gitgpu.plan.watching import Panel

NAME = "gitgpu-dashboard"
SOURCE = {"type": "prometheus", "uid": "$datasource"}
WIDTH, HEIGHT, COLUMNS = 12, 8, 2


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One ConfigMap with one dashboard, beside the first scrape object."""
    if plan.panels:
        meta = {
            "name": NAME,
            "namespace": plan.monitors[0].namespace,
            "labels": {"grafana_dashboard": "1"},
            "annotations": {"grafana_folder": "GPUs"},
        }
        text = json.dumps(_dashboard(plan), indent=1) + "\n"
        data = {f"gpus-{plan.cluster.name}.json": text}
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": data}
        yield Manifest(plan.cluster.name, Layer.MONITORING, body, plan.mark)


def _dashboard(plan: ClusterPlan) -> Body:
    name = plan.cluster.name
    return {
        "uid": f"gitgpu-{sha256(name.encode()).hexdigest()[:12]}",
        "title": f"GPUs of {name}",
        "tags": ["gpu", "gitgpu"],
        "editable": False,
        "schemaVersion": 39,
        "refresh": "1m",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": _variables(plan)},
        "panels": [_panel(index, one) for index, one in enumerate(plan.panels)],
    }


def _variables(plan: ClusterPlan) -> list[Body]:
    field = min(one.field for one in plan.panels)  # DEV before PROF, which not every GPU has
    nodes = f'query_result(group by (node) (label_join({field}, "node", "", "Hostname", "hostname")))'
    return [
        {"name": "datasource", "label": "Prometheus", "type": "datasource", "query": "prometheus"},
        {**_variable("node", nodes), "regex": '/node="([^"]+)"/'},
        _variable("namespace", f"label_values({field}, namespace)"),
    ]


def _variable(name: str, query: str) -> Body:
    chosen = {"text": "All", "value": "$__all"}
    several = {"multi": True, "includeAll": True, "allValue": ".*", "current": chosen}
    return {"name": name, "type": "query", "datasource": SOURCE, "query": query, "refresh": 2, "sort": 1, **several}


def _panel(index: int, one: Panel) -> Body:
    row, column = divmod(index, COLUMNS)
    return {
        "id": index + 1,
        "type": "timeseries",
        "title": one.title,
        "datasource": SOURCE,
        "gridPos": {"x": column * WIDTH, "y": row * HEIGHT, "w": WIDTH, "h": HEIGHT},
        "fieldConfig": {"defaults": {"unit": one.unit, "min": 0}, "overrides": []},
        "options": {"legend": {"displayMode": "table", "placement": "bottom", "calcs": ["lastNotNull", "max"]}},
        "targets": [{"refId": "A", "datasource": SOURCE, "expr": one.expr, "legendFormat": one.legend}],
    }


EMITTER = Emitter("Grafana dashboard", emit)
