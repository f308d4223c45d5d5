"""A node selector that KAITO rejects."""

from collections.abc import Iterator
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import RAG_ENGINE
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import Model, models, newest
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects):
        place = (*model.selector_at, "matchExpressions")
        for index, expression in enumerate(model.selector.get("matchExpressions") or ()):
            fault = _expression_fault(expression)
            if fault:
                remedy = "move it to matchLabels, or use operator In with one value"
                yield Finding(model.item, (*place, index), fault, remedy)
        # The webhook has no such check for a RAGEngine.
        if model.kind != RAG_ENGINE.kind and _all_reserved(model, objects):
            message = "all labels of the selector are set by KAITO itself, which ignores them here"
            remedy = "add your own label, such as apps: phi-4"
            yield Finding(model.item, (*model.selector_at, "matchLabels"), message, remedy)


def _expression_fault(expression: dict[str, Any]) -> str:
    operator, values = expression.get("operator"), expression.get("values") or []
    if operator != "In":
        return f"KAITO does not support operator {operator} in matchExpressions"
    return "" if len(values) == 1 else f"KAITO supports only expressions with one value, but this one has {len(values)}"


def _all_reserved(model: Model, objects: Objects) -> bool:
    labels = set(model.selector.get("matchLabels") or ())
    return bool(labels) and labels <= set(newest(objects)["reservedLabels"])


RULE = Rule(
    code="KAI005",
    name="invalid-kaito-selector",
    severity=Severity.ERROR,
    rejects=True,
    summary="The labelSelector of a KAITO workload has unsupported expressions, or only labels that KAITO reserves.",
    help="KAITO turns the selector into labels of its nodes, so it supports matchLabels and operator In with a "
    "single value. Labels that KAITO reserves do not count. KAITO's admission webhook rejects other "
    "expressions, and a Workspace without any other matchLabels.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/labels.go",
    ),
    check=_check,
)
