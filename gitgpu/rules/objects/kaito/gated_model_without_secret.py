"""A gated Hugging Face model without an access token."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import INFERENCE_SET, WORKSPACE
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import models, rows
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects, WORKSPACE.kind, INFERENCE_SET.kind):
        preset = reach(model.inference, "preset") or {}
        name = str(preset.get("name") or "").lower()
        # The installed release is unknown, so all that have the preset must agree.
        presets = [row["presets"][name] for row in rows(objects) if name in row["presets"]]
        if (
            presets
            and all(preset_row.get("gated") for preset_row in presets)
            and not reach(preset, "presetOptions", "modelAccessSecret")
        ):
            message = f"{name} is a gated model: its download from Hugging Face needs a token"
            remedy = "add presetOptions.modelAccessSecret, the name of a Secret with the key HF_TOKEN"
            yield Finding(model.item, (*model.inference_at, "preset", "name"), message, remedy)


RULE = Rule(
    code="KAI019",
    name="gated-model-without-secret",
    twin="KTO004",
    severity=Severity.ERROR,
    rejects=True,
    summary="A preset is a gated model and has no modelAccessSecret.",
    help="KAITO's admission webhook rejects the Workspace, because the model could not be downloaded.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/presets/workspace/models/supported_models.yaml",
    ),
    facts=("kaito/*",),
    check=_check,
)
