"""A node class that is not configured in KAITO."""

from collections.abc import Iterator

from gitgpu.access import list_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import WORKSPACE
from gitgpu.objects.gitops.chart_values import effective_value
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import NODE_CLASSES, installs, models
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import one_of

_ANNOTATION = "kaito.sh/node-class-name"


def _check(objects: Objects) -> Iterator[Finding]:
    installed = installs(objects)
    # Of several releases, any may serve the object.
    if len(installed) != 1 or not installed[0].whole or installed[0].value("nodeProvisioner") != "karpenter":
        return
    classes = list_at(effective_value(installed[0], objects, *NODE_CLASSES))
    names = [str(reach(node_class, "name")) for node_class in classes]
    if not names:  # KAI090 reports it
        return
    for model in models(objects, WORKSPACE.kind):
        annotated = reach(model.item.body, "metadata", "annotations", _ANNOTATION)
        if annotated and annotated not in names:
            message = f"unknown node class '{annotated}': it is not in the values of the KAITO chart"
            remedy = f"use {one_of(names)}, or add the class to nodeClasses in the values of the KAITO chart"
            yield Finding(model.item, ("metadata", "annotations", _ANNOTATION), message, remedy)


RULE = Rule(
    code="KAI091",
    name="unknown-kaito-node-class",
    severity=Severity.ERROR,
    rejects=True,
    summary="A Workspace refers to a node class that is not in the values of the KAITO chart.",
    help="KAITO accepts only node classes that its chart lists, even if others exist in the cluster. KAITO's "
    "admission webhook rejects the Workspace.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/charts/kaito/workspace/values.yaml",
    ),
    check=_check,
)
