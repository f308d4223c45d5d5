"""A ConfigMap for an Azure Monitor agent that the agent does not read."""

from collections.abc import Iterator
from functools import partial
from itertools import product

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.names.kinds import CONFIG_MAP
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest


def _check(objects: Objects) -> Iterator[Finding]:
    rows = objects.catalog.rows("agents").values()
    for item, facts in product(objects.of(*CONFIG_MAP), rows):
        name, namespace = item.identity.name, item.identity.namespace
        # "" is set when the ConfigMap is applied.
        if name in facts["configMaps"] and namespace not in ("", facts["namespace"]):
            place = ("metadata", "namespace")
            message = f"the agent reads {name} only in namespace {facts['namespace']}, but this one is in {namespace}"
            repair = Repair(Change.VALUE, place, facts["namespace"])
            yield Finding(item, place, message, f"set namespace: {facts['namespace']}", repair=repair)
        closest = objects.once_per_run(
            ("agents", facts["name"], name), partial(nearest, name, facts["configMaps"], 0.9)
        )
        if closest and name not in facts["configMaps"]:
            repair = Repair(Change.VALUE, ("metadata", "name"), closest)
            message = f"the agent does not read a ConfigMap named '{name}'"
            yield Finding(item, ("metadata", "name"), message, f"did you mean {closest}?", repair=repair)


RULE = Rule(
    code="MON012",
    name="agent-config-map-not-read",
    severity=Severity.ERROR,
    summary="A ConfigMap for an Azure Monitor agent has a name or namespace that the agent does not read.",
    help="The agent of managed Prometheus reads four ConfigMaps and the agent of Container insights one, all in "
    "kube-system. They ignore others and use their defaults.",
    sources=(
        "https://learn.microsoft.com/azure/azure-monitor/containers/prometheus-metrics-scrape-configuration",
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/configmaps/ama-metrics-settings-configmap-v1.yaml",
    ),
    check=_check,
    fixable=True,
)
