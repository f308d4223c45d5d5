"""The alert rules of a cluster as rule groups of Azure managed Prometheus, for every language that has them."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.emit.bicep import Code
from gitgpu.emit.emitter import Body
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.monitoring import Alert

TYPE = "Microsoft.AlertsManagement/prometheusRuleGroups@2023-03-01"
MAX_RULES = 20  # rules that Azure allows in a group
SEVERITIES = {"critical": 0, "warning": 2, "info": 3}  # Azure counts from 0 (critical) to 4 (verbose)


class References(NamedTuple):
    """The code of a language that stands for the region, the ID of the workspace, and the actions of an alert."""

    location: Code
    workspace: Code
    actions: Code


class RuleGroup(NamedTuple):
    """A rule group as Azure has it. `number` is "" for the first, and 2, 3 and so on for further ones."""

    number: str
    body: Body


def alert_groups(plan: ClusterPlan, references: References) -> Iterator[RuleGroup]:
    """The rules, in as few groups as Azure allows, limited to the metrics of this cluster."""
    if plan.cluster.stack.metrics.scrape != "azure-managed":
        return
    for index in range(0, len(plan.alerts), MAX_RULES):
        number = str(index // MAX_RULES + 1) if index else ""
        yield RuleGroup(number, _group(plan, plan.alerts[index : index + MAX_RULES], number, references))


def _group(plan: ClusterPlan, rules: tuple[Alert, ...], number: str, references: References) -> Body:
    name = plan.cluster.name
    return {
        "name": f"gitgpu-gpus-{name}{'.' if number else ''}{number}",  # a name of a cluster has no dot
        "location": references.location,
        "properties": {
            "description": f"GPUs of {name}, of the fleet {plan.fleet}",
            "scopes": [references.workspace],
            "clusterName": plan.cluster.aks_name,
            "interval": "PT1M",
            "rules": [_rule(rule, references.actions) for rule in rules],
        },
    }


def _rule(alert: Alert, actions: Code) -> Body:
    if not alert.severity:
        return {"record": alert.name, "expression": alert.expr}
    wait = {"for": f"PT{alert.wait.upper()}"} if alert.wait else {}  # a duration of ISO 8601
    return {
        "alert": alert.name,
        "expression": alert.expr,
        **wait,
        "severity": SEVERITIES[alert.severity],
        "labels": {"severity": alert.severity},
        "annotations": {"summary": alert.summary, "description": alert.description},
        "actions": actions,
    }
