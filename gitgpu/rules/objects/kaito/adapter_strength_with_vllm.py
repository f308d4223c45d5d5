"""An adapter strength with the vLLM runtime."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import INFERENCE_SET, WORKSPACE
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import Model, installs, models
from gitgpu.rules.object_rule import Finding, Rule

_RUNTIME = "kaito.sh/runtime"
_PLACES = (("metadata", "annotations"), ("spec", "template", "metadata", "annotations"))  # of an InferenceSet, also


def _check(objects: Objects) -> Iterator[Finding]:
    if not _uses_vllm(objects):
        return
    for model in models(objects, WORKSPACE.kind, INFERENCE_SET.kind):
        inference = model.inference or {}
        if not inference.get("preset") or _sets_transformers(model):  # a template runs its own server
            continue
        for index, adapter in enumerate(inference.get("adapters") or ()):
            if adapter.get("strength") is not None:
                message = "the runtime of this model is vLLM, which does not support a strength for adapters"
                yield Finding(
                    model.item, (*model.inference_at, "adapters", index, "strength"), message, "remove strength"
                )


def _uses_vllm(objects: Objects) -> bool:
    """Whether vLLM is the runtime. It is, unless the chart values turn the feature gate off."""
    for release in installs(objects):
        # Values from elsewhere may turn the gate off. The default of the chart is on.
        if not release.whole or str(release.value("featureGates", "vLLM")).lower() == "false":
            return False
    return True


def _sets_transformers(model: Model) -> bool:
    return any(reach(model.item.body, *place, _RUNTIME) == "transformers" for place in _PLACES)


RULE = Rule(
    code="KAI018",
    name="adapter-strength-with-vllm",
    severity=Severity.ERROR,
    rejects=True,
    summary="An adapter has a strength, but the runtime of the model is vLLM.",
    help="KAITO runs presets with vLLM, which loads every adapter at full strength. KAITO's admission webhook "
    "rejects a Workspace with a strength, even 1.0. Only the transformers runtime supports it.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/pkg/model/interface.go",
        "https://github.com/kaito-project/kaito/issues/998",
    ),
    check=_check,
)
