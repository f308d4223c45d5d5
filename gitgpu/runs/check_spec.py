"""The rules about a fleet, in two processes.

While this process reads the fleet, another one imports most of the rules. Then each runs the rules that it has.
"""

from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

from gitgpu.diagnostic import Diagnostic, ObjectRef
from gitgpu.jobs.prepared import PreparedWorker, prepared_worker
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_findings import FleetCheck, findings_by_code, fleet_findings, in_order_of_codes
from gitgpu.rules.fleet_rulebook import rule_folders, rules_in

MAX_CLUSTERS = 2000  # with more, sending the fleet would take too much memory
_Task: TypeAlias = tuple[Inputs, Collection[ObjectRef]]
_Found: TypeAlias = dict[str, list[Diagnostic]]


@contextmanager
def fleet_check() -> Generator[FleetCheck, None, None]:
    """A function like `fleet_findings`, to be called once. Another process prepares for it, if that is useful."""
    worker = prepared_worker(_prepare)
    try:
        yield partial(_find, worker) if worker else fleet_findings
    finally:
        if worker:
            worker.close()


def _find(worker: PreparedWorker[_Task, _Found], inputs: Inputs, doubtful: Collection[ObjectRef]) -> list[Diagnostic]:
    if len(inputs.clusters) > MAX_CLUSTERS:
        worker.close()
        return fleet_findings(inputs, doubtful)
    worker.give((inputs, doubtful))
    found = findings_by_code(inputs, doubtful, _here())
    try:
        [others] = worker.results()
    except ChildProcessError:  # something has killed it
        others = findings_by_code(inputs, doubtful, _elsewhere())
    return in_order_of_codes(found | others)


def _prepare() -> Callable[[_Task], _Found]:
    rules_in(_elsewhere())
    return lambda task: findings_by_code(*task, _elsewhere())


def _here() -> frozenset[str]:
    """The folders of rules that this process runs. They are fewer, because it imports them after reading the fleet."""
    return frozenset(sorted(rule_folders())[::3])


def _elsewhere() -> frozenset[str]:
    return frozenset(rule_folders()) - _here()
