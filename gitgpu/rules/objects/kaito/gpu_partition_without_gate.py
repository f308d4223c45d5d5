"""A partition without the KAITO feature gate for it."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import INFERENCE_SET, WORKSPACE
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import installs, models
from gitgpu.rules.object_rule import Finding, Rule

_GATES = {"mig": "enableMIG", "accelerator": "enableAccelerator"}


def _check(objects: Objects) -> Iterator[Finding]:
    installed = installs(objects)
    # Of several releases, any may serve the object.
    if len(installed) != 1 or not installed[0].whole:
        return
    for model in models(objects, WORKSPACE.kind, INFERENCE_SET.kind):
        mode = str((model.resource.get("partition") or {}).get("mode"))
        gate = _GATES.get(mode, "")
        if gate and str(installed[0].value("featureGates", gate)).lower() != "true":
            message = f"mode {mode} needs the KAITO feature gate {gate}, which is off"
            remedy = f"set featureGates: {{{gate}: true}} in the values of the KAITO chart"
            yield Finding(model.item, (*model.resource_at, "partition"), message, remedy, at_key=True)


RULE = Rule(
    code="KAI092",
    name="gpu-partition-without-gate",
    severity=Severity.ERROR,
    rejects=True,
    summary="A KAITO workload requests a GPU partition, but the feature gate for it is off.",
    help="The feature gates enableMIG and enableAccelerator are off unless the values of the chart enable them. "
    "KAITO's admission webhook rejects a partition without its gate.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/charts/kaito/workspace/values.yaml",
    ),
    check=_check,
)
