"""A KAITO kind that the AKS add-on does not serve."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.software.kaito import on_add_on
from gitgpu.objects.node.agent_pools import clusters
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import installs, models
from gitgpu.rules.object_rule import Finding, Rule

_ADD_ON = ("spec", "aiToolchainOperatorProfile", "enabled")


def _check(objects: Objects) -> Iterator[Finding]:
    # A chart next to the add-on may serve newer versions.
    if not any(reach(item.body, *_ADD_ON) is True for item in clusters(objects)) or installs(objects):
        return
    running = on_add_on(objects.kubernetes, objects.catalog)
    kinds = objects.catalog.must("kaito", running)["kinds"]
    for model in models(objects):
        version = str(model.item.body.get("apiVersion", "")).rpartition("/")[2]
        served = kinds.get(model.kind, [])
        if version not in served:
            message = f"the AKS add-on runs KAITO {running}, which does not serve {model.kind} {version}"
            place, remedy = ("kind",), "use a Workspace, or install the KAITO chart instead of the add-on"
            if served:
                place, remedy = ("apiVersion",), f"use kaito.sh/{served[-1]}"
            yield Finding(model.item, place, message, remedy)


RULE = Rule(
    code="KAI016",
    name="newer-than-kaito-add-on",
    twin="KTO008",
    severity=Severity.WARNING,
    summary="An InferenceSet or a v1beta1 RAGEngine is meant for a cluster that has KAITO as an AKS add-on.",
    help="The add-on runs an older KAITO release without their CRDs, so they cannot be applied.",
    sources=(
        "https://learn.microsoft.com/azure/aks/ai-toolchain-operator",
        "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions",
        "https://github.com/kaito-project/kaito/tree/461f75cd536b9ede07667b44bcc3e31ff7d6f13a/api",
    ),
    facts=("kaito/*",),
    check=_check,
)
