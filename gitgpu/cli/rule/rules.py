"""The rules of fleets and of objects."""

from collections.abc import Iterable
from typing import TypeAlias

from gitgpu.model.symptoms import Symptom
from gitgpu.rule import AnyRule
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules

ListedRule: TypeAlias = tuple[AnyRule, str]


def every_rule() -> list[ListedRule]:
    """Each rule with what it looks at ("fleet" or "objects"), sorted by code."""
    fleet: list[ListedRule] = [(rule, "fleet") for rule in fleet_rules()]
    objects: list[ListedRule] = [(rule, "objects") for rule in object_rules()]
    return sorted(fleet + objects, key=_code)


def _code(listed: ListedRule) -> str:
    rule, _ = listed
    return rule.code


def symptoms_by_rule(symptoms: Iterable[Symptom]) -> dict[str, list[Symptom]]:
    """The symptoms of each rule, by its code."""
    found: dict[str, list[Symptom]] = {}
    for symptom in symptoms:
        for code in symptom.rules:
            found.setdefault(code, []).append(symptom)
    return found
