"""The findings in a fleet: settings that conflict with each other or with the facts of the catalog."""

from collections.abc import Collection
from itertools import chain

from gitgpu.diagnostic import Diagnostic, ObjectRef
from gitgpu.model.fleet import Model, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import diagnose
from gitgpu.rules.fleet_rulebook import rules_for


def fleet_findings(inputs: Inputs, doubtful: Collection[ObjectRef] = ()) -> list[Diagnostic]:
    """The findings of all rules, except in documents with an unresolved name and workloads that use such pools."""
    # Rules would see only a part of such a document. Their findings would follow from the name, which is reported.
    names = {pool.name for pool in inputs.pools if pool.origin.ref not in doubtful}
    users: tuple[Workload | Model, ...] = (*inputs.workloads, *inputs.models)
    skipped = {user.origin.ref for user in users if not names.issuperset(user.pools)}.union(doubtful)
    diagnostics = chain.from_iterable(diagnose(rule, inputs) for rule in rules_for(inputs))
    return [diagnostic for diagnostic in diagnostics if diagnostic.object not in skipped]
