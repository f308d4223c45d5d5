"""A Grafana dashboard about the GPUs of a cluster.

Depending on its version, the exporter writes the node name as `Hostname` or `hostname`. The queries join both labels;
only one is set.
"""

from hashlib import sha256

from gitgpu.emit.emitter import Body
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.monitoring import Panel

SOURCE = {"type": "prometheus", "uid": "$datasource"}
WIDTH, HEIGHT, COLUMNS = 12, 8, 2  # the size of a panel in Grafana's grid of 24 columns; panels in a row


def dashboard(plan: ClusterPlan) -> Body:
    """The dashboard in the format of Grafana's API."""
    name = plan.cluster.name
    return {
        # A uid has at most 40 characters, and the name of a cluster can be longer.
        "uid": f"gitgpu-{sha256(name.encode()).hexdigest()[:12]}",
        "title": f"GPUs of {name}",
        "tags": ["gpu", "gitgpu"],
        "editable": False,
        # Grafana migrates what is older than its own version, and 40 to 43 change nothing that this dashboard has
        # (apps/dashboard/pkg/migration/schemaversion of grafana/grafana).
        "schemaVersion": 39,
        "refresh": "1m",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": _variables(plan)},
        "panels": [_panel(index, panel) for index, panel in enumerate(plan.panels)],
    }


def _variables(plan: ClusterPlan) -> list[Body]:
    series = plan.panels[0].series  # all panels have the same series
    any_series = " or ".join(series)
    nodes = f'query_result(group by (node) (label_join({any_series}, "node", "", "Hostname", "hostname")))'
    if len(series) == 1:
        namespaces = _variable("namespace", f"label_values({any_series}, namespace)")
    else:  # label_values accepts only one selector
        variable = _variable("namespace", f"query_result(group by (namespace) ({any_series}))")
        namespaces = {**variable, "regex": '/namespace="([^"]+)"/'}
    return [
        {"name": "datasource", "label": "Prometheus", "type": "datasource", "query": "prometheus"},
        {**_variable("node", nodes), "regex": '/node="([^"]+)"/'},
        namespaces,
    ]


def _variable(name: str, query: str) -> Body:
    chosen = {"text": "All", "value": "$__all"}
    several = {"multi": True, "includeAll": True, "allValue": ".*", "current": chosen}
    # Refreshed when the time range changes, and sorted by name: VariableRefresh and VariableSort of Grafana.
    return {"name": name, "type": "query", "datasource": SOURCE, "query": query, "refresh": 2, "sort": 1, **several}


def _panel(index: int, panel: Panel) -> Body:
    row, column = divmod(index, COLUMNS)
    return {
        "id": index + 1,
        "type": "timeseries",
        "title": panel.title,
        "datasource": SOURCE,
        "gridPos": {"x": column * WIDTH, "y": row * HEIGHT, "w": WIDTH, "h": HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "options": {"legend": {"displayMode": "table", "placement": "bottom", "calcs": ["lastNotNull", "max"]}},
        "targets": [{"refId": "A", "datasource": SOURCE, "expr": panel.expr, "legendFormat": panel.legend}],
    }
