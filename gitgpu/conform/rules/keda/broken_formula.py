"""Scaling modifiers that KEDA cannot use."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from gitgpu.conform.objects import Item, Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import of_item, scaled_objects
from gitgpu.diagnostic import Severity
from gitgpu.model.templates import is_template
from gitgpu.source import Pointer

_PLACE: Pointer = ("spec", "advanced", "scalingModifiers")
_STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`")
_NAME = re.compile(r"(?<![\w.$])[A-Za-z_]\w*(?!\w|\s*\()")
_WORDS = {"and", "or", "not", "in", "nil", "true", "false", "matches", "contains", "startsWith", "endsWith"}
_BEYOND = re.compile(r"\blet\b|[{}#;|]|\bif\b")  # what needs the whole language to be read


def _check(objects: Objects) -> Iterator[Finding]:
    resources = objects.catalog.must("triggers", "keda")["resources"] if any(scaled_objects(objects)) else ()
    for item in scaled_objects(objects):
        given = reach(item.body, *_PLACE) or {}
        if any(given.values()):
            yield from _parts(item, given)
            yield from _names(item, given.get("formula") or "", resources)


def _parts(item: Item, given: Mapping[str, Any]) -> Iterator[Finding]:
    formula, target = given.get("formula"), given.get("target")
    if not formula:
        remedy = "add a formula over the names of the triggers, such as queue + waiting"
        yield Finding(item, _PLACE, "scalingModifiers without a formula do nothing", remedy)
    elif not target:
        remedy = "add the value of the formula that one replica can bear as target"
        yield Finding(item, (*_PLACE, "formula"), "the formula has no target", remedy)
    elif not is_template(target) and not _positive(target):
        yield Finding(item, (*_PLACE, "target"), f"the target '{target}' is no number above 0", 'write such as "5"')


def _names(item: Item, formula: str, resources: Collection[str]) -> Iterator[Finding]:
    plain = _STRINGS.sub("", formula)
    if is_template(formula) or _BEYOND.search(plain):
        return
    known = {str(one.body["name"]) for one in of_item(item) if one.body.get("name") and one.type not in resources}
    for name in dict.fromkeys(_NAME.findall(plain)):
        if name not in known | _WORDS:
            there = ", ".join(sorted(known)) or "none"
            message = f"the formula speaks of '{name}', which is no trigger's name; the names are: {there}"
            remedy = (
                "give the trigger this name; cpu and memory triggers cannot be in a formula, nor can signs in names"
            )
            yield Finding(item, (*_PLACE, "formula"), message, remedy)


def _positive(text: str) -> bool:
    try:
        return float(text) > 0
    except ValueError:
        return False


RULE = Rule(
    code="KED008",
    name="broken-formula",
    severity=Severity.ERROR,
    summary="A ScaledObject's scalingModifiers lack a formula or a target, or the formula names no trigger.",
    help="KEDA compiles the formula against the names of the triggers when the object is admitted; what cannot be "
    "compiled, or has no target above 0, is refused.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
        "https://keda.sh/docs/2.18/reference/scaledobject-spec/",
    ),
    check=_check,
    bad="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  advanced: {scalingModifiers: {formula: "max(prompts - 2, 0)", target: "5"}}
  triggers: [{type: azure-queue, name: queue, metadata: {queueName: prompts, accountName: contoso}}]
""",
    good="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  advanced: {scalingModifiers: {formula: "max(queue - 2, 0)", target: "5"}}
  triggers: [{type: azure-queue, name: queue, metadata: {queueName: prompts, accountName: contoso}}]
""",
)
