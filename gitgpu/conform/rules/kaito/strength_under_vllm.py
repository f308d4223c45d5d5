"""A strength for an adapter that vLLM serves."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.kaito_models import Model, installs, models
from gitgpu.diagnostic import Severity

_RUNTIME = "kaito.sh/runtime"
_PLACES = (("metadata", "annotations"), ("spec", "template", "metadata", "annotations"))


def _check(objects: Objects) -> Iterator[Finding]:
    if not _serves_by_vllm(objects):
        return
    for model in models(objects, "Workspace", "InferenceSet"):
        inference = model.inference or {}
        if not inference.get("preset") or _asks_for_another(model):
            continue
        for at, one in enumerate(inference.get("adapters") or ()):
            if one and one.get("strength") is not None:
                message = "vLLM serves this model, and KAITO lets no adapter have a strength there"
                yield Finding(model.item, (*model.inference_at, "adapters", at, "strength"), message, "remove strength")


def _serves_by_vllm(objects: Objects) -> bool:
    """Does KAITO serve by vLLM? It does unless its chart turns the gate off."""
    return all(one.whole and str(one.value("featureGates", "vLLM")).lower() != "false" for one in installs(objects))


def _asks_for_another(model: Model) -> bool:
    return any(reach(model.item.body, *place, _RUNTIME) == "transformers" for place in _PLACES)


RULE = Rule(
    code="KAI018",
    name="strength-under-vllm",
    severity=Severity.ERROR,
    summary="An adapter has a strength, and the model's runtime is vLLM.",
    help="KAITO serves presets by vLLM, which loads every adapter at full strength, and refuses a Workspace that says "
    "otherwise, even with the strength 1.0. Only the transformers runtime weighs adapters.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/pkg/model/interface.go",
        "https://github.com/kaito-project/kaito/issues/998",
    ),
    check=_check,
    bad="""
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {name: phi-3, namespace: serving}
resource:
  instanceType: Standard_NC24ads_A100_v4
  labelSelector: {matchLabels: {apps: phi-3}}
inference:
  preset: {name: phi-3-mini-128k-instruct}
  adapters:
  - source: {name: support, image: "contoso.azurecr.io/adapters/support:1.0"}
    strength: "0.8"
""",
    good="""
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {name: phi-3, namespace: serving}
resource:
  instanceType: Standard_NC24ads_A100_v4
  labelSelector: {matchLabels: {apps: phi-3}}
inference:
  preset: {name: phi-3-mini-128k-instruct}
  adapters:
  - source: {name: support, image: "contoso.azurecr.io/adapters/support:1.0"}
""",
)
