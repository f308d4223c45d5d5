"""An unknown section in the settings of Azure managed Prometheus."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CONFIG_MAP
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest

_CUTOFF = 0.8  # one typo in a key of five letters


def _check(objects: Objects) -> Iterator[Finding]:
    facts = objects.catalog.must("agents", "ama-metrics")
    for item in objects.of(*CONFIG_MAP):
        data = reach(item.body, "data") if item.identity.name == facts["settings"] else None
        for key in data or ():
            if key not in facts["keys"] and not is_template(key):
                closest = nearest(key.replace("_", "-"), facts["keys"], _CUTOFF)
                remedy = f"use {closest}" if closest else f"remove it; known sections are {', '.join(facts['keys'])}"
                yield Finding(item, ("data", key), f"the agent ignores unknown section '{key}'", remedy, at_key=True)


RULE = Rule(
    code="MON021",
    name="unknown-managed-prometheus-setting",
    severity=Severity.WARNING,
    summary="The settings of Azure managed Prometheus have a section that the agent does not read.",
    help="The agent reads each section by name and ignores others, so the defaults apply: GPU metrics that you want "
    "to keep are dropped, or targets stay on.",
    sources=(
        "https://github.com/Azure/prometheus-collector/issues/612",
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/configmaps/ama-metrics-settings-configmap-v1.yaml",
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/shared/configmap/mp/configmapparser.go",
    ),
    facts=("agents/ama-metrics",),
    check=_check,
)
