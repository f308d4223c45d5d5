"""A KAITO workload without exactly one task and one source."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import INFERENCE_SET, WORKSPACE
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import Model, models
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects, WORKSPACE.kind, INFERENCE_SET.kind):
        if model.kind == WORKSPACE.kind:
            yield from _task_faults(model)
        inference = model.inference
        if inference is not None:
            yield from _source_faults(model, inference.get("preset") is not None, inference.get("template") is not None)


def _task_faults(model: Model) -> Iterator[Finding]:
    serves, tunes = model.inference is not None, model.tuning is not None
    if serves and tunes:
        remedy = "use a separate Workspace for each"
        yield Finding(model.item, ("tuning",), "the Workspace has both inference and tuning", remedy, at_key=True)
    elif not serves and not tunes:
        remedy = "add inference or tuning at the top level, next to resource"
        yield Finding(model.item, ("metadata", "name"), "the Workspace has neither inference nor tuning", remedy)


def _source_faults(model: Model, preset: bool, template: bool) -> Iterator[Finding]:
    place: Pointer = model.inference_at
    if preset and template:
        remedy = "remove the preset or the template"
        yield Finding(
            model.item, (*place, "template"), "inference has both a preset and a template", remedy, at_key=True
        )
    elif not preset and not template:
        yield Finding(model.item, place, "inference has neither a preset nor a template", "add a preset")


RULE = Rule(
    code="KAI001",
    name="workspace-without-one-task",
    severity=Severity.ERROR,
    rejects=True,
    summary="A Workspace does not have exactly one of inference and tuning, or its inference not exactly one of "
    "preset and template.",
    help="The CRD does not validate this. KAITO's admission webhook rejects a Workspace without exactly one of each.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
    ),
    check=_check,
)
