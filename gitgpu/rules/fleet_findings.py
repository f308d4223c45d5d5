"""The findings in a fleet: settings that conflict with each other or with the facts of the catalog.

Importing the rules takes longer than running them. So another process can import most of them while this one reads the
fleet; then it runs these rules while this process imports and runs the others.
"""

from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager
from itertools import chain
from operator import itemgetter
from typing import TypeAlias

from gitgpu.diagnostic import Diagnostic, ObjectRef
from gitgpu.jobs.prepared import PreparedWorker, start_worker
from gitgpu.model.fleet import Model, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import diagnose
from gitgpu.rules.fleet_rulebook import IN_EVERY_FLEET, folders_for, folders_of_helper, rule_folders, rules_in

_Found: TypeAlias = list[tuple[str, list[Diagnostic]]]  # the code of each rule, and its findings
Helper: TypeAlias = PreparedWorker[Inputs, _Found]


@contextmanager
def helper() -> Generator[Helper | None, None, None]:
    """Another process for most of the rules, which imports them immediately; None if that is not faster."""
    worker = start_worker(_prepare)
    try:
        yield worker
    finally:
        if worker:
            worker.close()


def fleet_findings(
    inputs: Inputs, doubtful: Collection[ObjectRef] = (), helping: Helper | None = None
) -> list[Diagnostic]:
    """The findings of all rules, except in documents with an unresolved name and workloads that use such pools."""
    # Rules would see only a part of such a document. Their findings would follow from the name, which is reported.
    names = {pool.name for pool in inputs.pools if pool.origin.ref not in doubtful}
    users: tuple[Workload | Model, ...] = (*inputs.workloads, *inputs.models)
    skipped = {user.origin.ref for user in users if not names.issuperset(user.pools)}.union(doubtful)
    found = _found_by_both(inputs, helping) if helping else _found_in(inputs, folders_for(inputs))
    diagnostics = chain.from_iterable(rule_findings for _, rule_findings in sorted(found, key=itemgetter(0)))
    return [diagnostic for diagnostic in diagnostics if diagnostic.object not in skipped]


def _prepare() -> Callable[[Inputs], _Found]:
    folders = folders_of_helper()
    rules_in(frozenset(name for name in folders if rule_folders()[name] & IN_EVERY_FLEET))
    return lambda inputs: _found_in(inputs, folders & folders_for(inputs))


def _found_by_both(inputs: Inputs, helping: Helper) -> _Found:
    helping.give(inputs)
    found = _found_in(inputs, folders_for(inputs) - folders_of_helper())
    [found_there] = helping.results()
    return found + found_there


def _found_in(inputs: Inputs, folders: frozenset[str]) -> _Found:
    return [(rule.code, diagnose(rule, inputs)) for rule in rules_in(folders)]
