"""A setting of the Azure Monitor agent that belongs to another schema version."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CONFIG_MAP
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    facts = objects.catalog.must("agents", "ama-metrics")
    for item in objects.of(*CONFIG_MAP):
        data = reach(item.body, "data")
        if item.identity.name != facts["settings"] or not data:
            continue
        version = (data.get("schema-version") or "v1").strip()  # the agent's default
        if version not in facts["ignored"] and not is_template(version):
            message = f"unknown schema version '{version}', so the agent uses its defaults"
            yield Finding(item, ("data", "schema-version"), message, f"use {' or '.join(sorted(facts['ignored']))}")
        for key in facts["ignored"].get(version, ()):
            if key in data:
                message = f"with schema version {version} the agent ignores '{key}'"
                remedy = "use the layout of the version in schema-version"
                yield Finding(item, ("data", key), message, remedy, at_key=True)


RULE = Rule(
    code="MON013",
    name="ignored-agent-setting",
    severity=Severity.WARNING,
    summary="The settings of Azure managed Prometheus mix the layouts of schema versions v1 and v2.",
    help="v1 has its sections at the top level, v2 inside cluster-metrics and controlplane-metrics. The default "
    "version is v1. The agent ignores settings in the other layout and does not report them.",
    sources=(
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/configmaps/ama-metrics-settings-configmap-v1.yaml",
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/configmaps/ama-metrics-settings-configmap-v2.yaml",
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/shared/configmap/mp/configmapparser.go",
    ),
    facts=("agents/ama-metrics",),
    check=_check,
)
