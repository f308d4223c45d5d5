"""The findings in a fleet: settings that conflict with each other or with the facts of the catalog."""

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain
from typing import TypeAlias

from gitgpu.diagnostic import Diagnostic, ObjectRef
from gitgpu.model.fleet import Model, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import diagnose
from gitgpu.rules.fleet_rulebook import rule_folders, rules_for

FleetCheck: TypeAlias = Callable[[Inputs, Collection[ObjectRef]], list[Diagnostic]]


def fleet_findings(inputs: Inputs, doubtful: Collection[ObjectRef] = ()) -> list[Diagnostic]:
    """The findings of all rules, except in documents with an unresolved name and workloads that use such pools."""
    return in_order_of_codes(findings_by_code(inputs, doubtful, rule_folders().keys()))


def findings_by_code(
    inputs: Inputs, doubtful: Collection[ObjectRef], among: Collection[str]
) -> dict[str, list[Diagnostic]]:
    """The same findings of the rules in these folders, by the code of the rule."""
    # Rules would see only a part of such a document. Their findings would follow from the name, which is reported.
    names = {pool.name for pool in inputs.pools if pool.origin.ref not in doubtful}
    users: tuple[Workload | Model, ...] = (*inputs.workloads, *inputs.models)
    skipped = {user.origin.ref for user in users if not names.issuperset(user.pools)}.union(doubtful)
    return {
        rule.code: [diagnostic for diagnostic in diagnose(rule, inputs) if diagnostic.object not in skipped]
        for rule in rules_for(inputs, among)
    }


def in_order_of_codes(found: Mapping[str, Iterable[Diagnostic]]) -> list[Diagnostic]:
    """The findings of several rules, as they are reported whatever order the rules ran in."""
    return [*chain.from_iterable(found[code] for code in sorted(found))]
