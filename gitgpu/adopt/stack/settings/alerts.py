"""Whether gitgpu's own alert rules and dashboard are on a cluster. Rules of others stay with their owner."""

from collections.abc import Iterator

from gitgpu.access import list_at, reach
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.selected_labels import selected_labels
from gitgpu.adopt.stack.view import View
from gitgpu.emit.kinds.dashboard import NAME as DASHBOARD
from gitgpu.emit.kinds.prometheus_rule import NAME as RULES
from gitgpu.model.names.kinds import CONFIG_MAP, PROMETHEUS_RULE
from gitgpu.objects.objects import Item


def infer(view: View) -> Iterator[Evidence]:
    """Evidence from the names that gitgpu gives to its PrometheusRule, its alerts and its dashboard's ConfigMap."""
    health_alerts = {row["alert"] for row in view.catalog.rows("conditions").values()}
    for item in view.objects.by_name(*PROMETHEUS_RULE, RULES):
        names = set(_alerts(item))
        yield from selected_labels(item, f"PrometheusRule {RULES}", view)
        reason = f"gitgpu generated PrometheusRule {RULES}, in the API group of Prometheus Operator"
        yield Evidence(("metrics", "scrape"), "prometheus-operator", reason, view.original(item), ("apiVersion",))
        if names & health_alerts:
            reason = f"gitgpu generated PrometheusRule {RULES}, which alerts on node conditions"
            yield Evidence(("health",), "npd", reason, view.original(item))
        if names - health_alerts:
            yield Evidence(("metrics", "alerts"), True, f"gitgpu generated PrometheusRule {RULES}", view.original(item))
    for item in view.objects.by_name(*CONFIG_MAP, DASHBOARD):
        yield Evidence(("metrics", "dashboards"), True, f"gitgpu generated ConfigMap {DASHBOARD}", view.original(item))


def _alerts(item: Item) -> Iterator[str]:
    for group in list_at(item.body, "spec", "groups"):
        for rule in list_at(group, "rules"):
            if reach(rule, "alert"):
                yield str(rule["alert"])
