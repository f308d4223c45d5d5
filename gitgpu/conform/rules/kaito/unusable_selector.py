"""A node selector that KAITO refuses."""

from collections.abc import Iterator
from typing import Any

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.kaito_models import Model, models, rows
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects):
        place = (*model.selector_at, "matchExpressions")
        for at, one in enumerate(model.selector.get("matchExpressions") or ()):
            fault = _expression(one)
            if fault:
                remedy = "write it into matchLabels, or as operator: In with one value"
                yield Finding(model.item, (*place, at), fault, remedy)
        if model.kind != "RAGEngine" and _all_reserved(model, objects):
            message = "every label of the selector is one that KAITO sets itself and ignores here"
            remedy = "add a label of your own, such as apps: phi-4"
            yield Finding(model.item, (*model.selector_at, "matchLabels"), message, remedy)


def _expression(one: dict[str, Any]) -> str:
    operator, values = one.get("operator"), one.get("values") or []
    if operator != "In":
        return f"KAITO reads no expression with operator {operator}"
    return "" if len(values) == 1 else f"KAITO reads expressions with one value, and this has {len(values)}"


def _all_reserved(model: Model, objects: Objects) -> bool:
    labels = model.selector.get("matchLabels") or {}
    return bool(labels) and set(labels) <= set(rows(objects)[-1]["reservedLabels"])


RULE = Rule(
    code="KAI005",
    name="unusable-selector",
    severity=Severity.ERROR,
    summary="The labelSelector of a KAITO workload has expressions that are no plain labels, or only KAITO's own.",
    help="KAITO turns the selector into labels of its nodes, so it takes matchLabels and In with a single value. Its "
    "own labels do not count; when no other matchLabels are left, admission refuses the object.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/labels.go",
    ),
    check=_check,
    bad="""
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {name: phi-4, namespace: serving}
resource:
  instanceType: Standard_NC24ads_A100_v4
  labelSelector: {matchExpressions: [{key: apps, operator: In, values: [phi-4, phi-3]}]}
inference: {preset: {name: phi-4}}
""",
    good="""
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {name: phi-4, namespace: serving}
resource:
  instanceType: Standard_NC24ads_A100_v4
  labelSelector: {matchLabels: {apps: phi-4}}
inference: {preset: {name: phi-4}}
""",
)
