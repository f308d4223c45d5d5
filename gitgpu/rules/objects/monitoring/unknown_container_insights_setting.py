"""An unknown section in the settings of the Container insights agent."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CONFIG_MAP
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest

_CUTOFF = 0.85  # two sections of the agent have 0.83


def _check(objects: Objects) -> Iterator[Finding]:
    facts = objects.catalog.must("agents", "ama-logs")
    for item in objects.of(*CONFIG_MAP):
        data = reach(item.body, "data")
        if item.identity.name != facts["settings"] or not data:
            continue
        version = (data.get("schema-version") or "").strip()
        if version not in facts["versions"] and not is_template(version):
            message = f"unknown schema version '{version}', so the agent uses its defaults"
            place = ("data", "schema-version") if "schema-version" in data else ("data",)
            yield Finding(item, place, message, f"set schema-version: {facts['versions'][0]}")
        for key in data:
            closest = nearest(key.replace("_", "-"), facts["keys"], _CUTOFF) if key not in facts["keys"] else ""
            if closest:
                message = f"the agent ignores unknown section '{key}'"
                yield Finding(item, ("data", key), message, f"did you mean {closest}?", at_key=True)


RULE = Rule(
    code="MON060",
    name="unknown-container-insights-setting",
    severity=Severity.ERROR,
    summary="The settings of the Container insights agent have an unknown version or section.",
    help="The agent reads each section by name, and only with a schema version that it supports. Otherwise it uses "
    "its defaults and does not report it. gitgpu reports only sections that are close to a known one.",
    sources=(
        "https://github.com/microsoft/Docker-Provider/blob/b78055842aead6e9a6329fd83db20341e8eec35d/kubernetes/container-azm-ms-agentconfig.yaml",
        "https://learn.microsoft.com/azure/azure-monitor/containers/kubernetes-data-collection-configmap",
    ),
    facts=("agents/ama-logs",),
    check=_check,
)
