"""The findings in a fleet: settings that conflict with each other or with the facts of the catalog."""

from collections.abc import Collection
from contextlib import closing
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import TypeAlias

from gitgpu.diagnostic import Diagnostic, ObjectRef
from gitgpu.jobs import in_background
from gitgpu.jobs.prepared import is_useful
from gitgpu.model.fleet import Model, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import diagnose
from gitgpu.rules.fleet_rulebook import folders_for, halves, rules_in

# The code of a rule, and its findings.
_Found: TypeAlias = tuple[str, list[Diagnostic]]


def fleet_findings(inputs: Inputs, doubtful: Collection[ObjectRef] = (), jobs: int | None = 1) -> list[Diagnostic]:
    """The findings of all rules, except in documents with an unresolved name and workloads that use such pools.

    With `jobs` of None, another process imports and runs half of the rules, if there are two cores.
    """
    # Rules would see only a part of such a document. Their findings would follow from the name, which is reported.
    names = {pool.name for pool in inputs.pools if pool.origin.ref not in doubtful}
    users: tuple[Workload | Model, ...] = (*inputs.workloads, *inputs.models)
    skipped = {user.origin.ref for user in users if not names.issuperset(user.pools)}.union(doubtful)
    by_rule = sorted(_found(inputs, jobs), key=itemgetter(0))
    diagnostics = chain.from_iterable(found for _, found in by_rule)
    return [diagnostic for diagnostic in diagnostics if diagnostic.object not in skipped]


def _found(inputs: Inputs, jobs: int | None) -> list[_Found]:
    folders = folders_for(inputs)
    if not is_useful(jobs):
        return _found_in(inputs, folders)
    own, others = halves(folders)
    with closing(in_background(partial(_found_in, inputs, others), at_once=True)) as other_process:
        found = _found_in(inputs, own)
        [found_there] = other_process
        return found + found_there


def _found_in(inputs: Inputs, folders: frozenset[str]) -> list[_Found]:
    return [(rule.code, diagnose(rule, inputs)) for rule in rules_in(folders)]
