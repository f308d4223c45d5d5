"""Two true things that may not be true together: rules over the linked fleet and the catalog.

A module in `rules/` is a rule; dropping a file in adds one. `check` runs them all and stops at nothing.
"""

from collections.abc import Collection
from functools import cache

from gitgpu.check import rules
from gitgpu.check.rule import Rule, diagnose
from gitgpu.diagnostic import Diagnostic, ObjectRef
from gitgpu.model.fleet import Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.kaito import Model
from gitgpu.registry import collect
from gitgpu.rule import Rule as AnyRule


@cache
def fleet_rules() -> tuple[Rule, ...]:
    """Every rule about fleets, in order of code."""
    return tuple(sorted(collect(rules, "RULE", AnyRule), key=lambda one: one.code))


def fleet_codes() -> frozenset[str]:
    """The codes of all rules about fleets."""
    return frozenset(one.code for one in fleet_rules())


def check(inputs: Inputs, doubtful: Collection[ObjectRef] = ()) -> list[Diagnostic]:
    """All breaches of all rules, but for documents with an unresolved name and workloads that rest on such pools.

    What a rule says of half a pool is noise beside the fault that halved it.
    """
    names = {pool.name for pool in inputs.pools if pool.origin.ref not in doubtful}
    placed: tuple[Workload | Model, ...] = (*inputs.workloads, *inputs.models)
    resting = {one.origin.ref for one in placed if not names.issuperset(one.pools)}
    silent = resting.union(doubtful)
    found = (diagnostic for one in fleet_rules() for diagnostic in diagnose(one, inputs))
    return [diagnostic for diagnostic in found if diagnostic.object not in silent]
