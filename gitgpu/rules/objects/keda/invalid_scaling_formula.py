"""Scaling modifiers that KEDA rejects."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import of_item, scaled_objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_PLACE: Pointer = ("spec", "advanced", "scalingModifiers")
# A formula is an expression of expr-lang/expr. A name before "(" is a function, and one after "." a field.
_STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`")
# A name in a formula that is neither a member of another one nor a function.
_NAME = re.compile(r"(?<![\w.$])[A-Za-z_]\w*(?!\w|\s*\()")
# Operators and literals of expr, which look like names.
_WORDS = {"and", "or", "not", "in", "nil", "true", "false", "matches", "contains", "startsWith", "endsWith"}
_BEYOND = re.compile(r"\blet\b|[{}#;|]|\bif\b")  # syntax that needs a complete parser of expr


def _check(objects: Objects) -> Iterator[Finding]:
    resources = objects.catalog.must("triggers", "keda")["resources"] if any(scaled_objects(objects)) else ()
    for item in scaled_objects(objects):
        modifiers = reach(item.body, *_PLACE) or {}
        if any(modifiers.values()):
            yield from _missing_parts(item, modifiers)
            yield from _unknown_names(item, modifiers.get("formula") or "", resources)


def _missing_parts(item: Item, modifiers: Mapping[str, Any]) -> Iterator[Finding]:
    formula, target = modifiers.get("formula"), modifiers.get("target")
    if not formula:
        remedy = "add a formula of trigger names, such as queue + waiting"
        yield Finding(item, _PLACE, "scalingModifiers has no formula", remedy)
    elif not target:
        remedy = "add target, the value of the formula that one replica can handle"
        yield Finding(item, (*_PLACE, "formula"), "the formula has no target", remedy)
    elif not is_template(target) and not _positive(target):
        yield Finding(
            item, (*_PLACE, "target"), f"target '{target}' is not a number greater than 0", 'use a number such as "5"'
        )


def _unknown_names(item: Item, formula: str, resources: Collection[str]) -> Iterator[Finding]:
    plain = _STRINGS.sub("", formula)
    if is_template(formula) or _BEYOND.search(plain):
        return
    # KEDA's webhook compiles the formula without cpu and memory triggers.
    usable = [trigger for trigger in of_item(item) if trigger.type not in resources]
    names = {str(trigger.body["name"]) for trigger in usable if trigger.body.get("name")}
    for name in dict.fromkeys(_NAME.findall(plain)):
        if name not in names | _WORDS:
            known_names = ", ".join(sorted(names)) or "none"
            message = f"the formula uses '{name}', which is not the name of a trigger; the names are: {known_names}"
            remedy = (
                "give a trigger this name; it must be an identifier, and cpu and memory triggers cannot be in a formula"
            )
            yield Finding(item, (*_PLACE, "formula"), message, remedy)


def _positive(text: str) -> bool:
    try:
        return float(text) > 0
    except ValueError:
        return False


RULE = Rule(
    code="KED008",
    name="invalid-scaling-formula",
    severity=Severity.ERROR,
    rejects=True,
    summary="The scalingModifiers of a ScaledObject have no formula or target, or the formula uses an unknown "
    "trigger name.",
    help="KEDA's admission webhook compiles the formula with the names of the triggers. The admission webhook "
    "rejects a formula that does not compile or has no target above 0.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
        "https://keda.sh/docs/2.18/reference/scaledobject-spec/",
    ),
    facts=("triggers/keda",),
    check=_check,
)
