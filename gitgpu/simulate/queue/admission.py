"""Which pods Kueue admits, by its quotas: without preemption, and without workloads that are not in the input."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from gitgpu.access import list_at, mapping_at, reach, text_at
from gitgpu.model.names.kinds import CLUSTER_QUEUE, COHORT, PRIORITY_CLASS, RESOURCE_FLAVOR, WORKLOAD_PRIORITY_CLASS
from gitgpu.model.names.labels import QUEUE_PRIORITY_LABEL
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.flavors import flavors
from gitgpu.objects.queues.namespaces import excluding_label
from gitgpu.objects.queues.queued import Submission, at_once, local_queues, submissions
from gitgpu.objects.queues.quotas import QuotaOwner, cluster_queues
from gitgpu.objects.queues.tree import tree
from gitgpu.objects.workload.node_constraints import is_readable
from gitgpu.objects.workload.pods import Pod
from gitgpu.schedule.quota_tree import Node, QuotaTree
from gitgpu.simulate.autoscaled import count_pods
from gitgpu.simulate.queue.assignment import Assignment, PodSet, assign
from gitgpu.simulate.queue.cycles import Unit, admit, find_rivals
from gitgpu.source import Pointer

_CHECKS: Pointer = ("spec", "admissionChecksStrategy", "admissionChecks")
_MAX_UNITS = 2_000  # pods of one Deployment that are queued one by one


class Outcome(NamedTuple):
    """Of an object: the admitted pods by the place of their spec, their flavors, and what the others wait for.

    `queue` is the name of its ClusterQueue. Some wait for `rivals`, but which of them is older is not known.
    With `never`, it does not fit while no quota is in use either.
    """

    pods: Mapping[Pointer, int]
    flavors: tuple[str, ...]
    waits: str
    checked: bool
    queue: str
    rivals: tuple[str, ...] = ()
    never: bool = False


class Admissions(NamedTuple):
    """The outcomes by the identity of the content of objects, and the quota that is in use."""

    outcomes: Mapping[int, Outcome]
    tree: QuotaTree


def admissions(objects: Objects) -> Admissions:
    """What Kueue admits of the workloads whose queues are in the input completely."""
    return objects.once("admissions", lambda: _admissions(objects))


def with_flavor(pod: Pod, outcome: Outcome, objects: Objects) -> Pod:
    """The pod with the node selector and the tolerations that Kueue adds for its flavor, if all pods get the same."""
    if len(outcome.flavors) != 1:
        return pod
    flavor = flavors(objects)[outcome.flavors[0]]
    selector = {**mapping_at(pod.spec, "nodeSelector"), **flavor.labels}
    return pod._replace(
        spec={**pod.spec, "nodeSelector": selector, "tolerations": [*pod.tolerations, *flavor.tolerations]}
    )


def _admissions(objects: Objects) -> Admissions:
    usable = [submission for submission in submissions(objects) if _is_known(submission, objects)]
    quota = tree(objects)
    waiting: dict[str, list[Unit]] = {}
    stopped: dict[int, str] = {}
    for number, submission in enumerate(usable):
        reason = _stopped(submission, objects)
        if reason:
            stopped[number] = reason
        else:
            waiting.setdefault(submission.queue.name, []).extend(_units(number, submission, objects))
    alone = _startable(waiting, objects, quota)
    done = admit(waiting, cluster_queues(objects), flavors(objects), quota)
    families = [quota.root(Node(True, submission.queue.name)) for submission in usable]
    rivals = find_rivals([pair for pair in done if pair[0].of in alone], families)
    by_object: dict[int, list[tuple[Unit, Assignment]]] = {}
    for unit, assignment in done:
        by_object.setdefault(unit.of, []).append((unit, assignment))
    outcomes = {
        id(submission.queued.item.body): _outcome(
            by_object.get(number, []), stopped.get(number, ""), submission.queue
        )._replace(
            rivals=tuple(_title(usable[other]) for other in rivals.get(number, ())),
            never=number not in alone and number not in stopped,
        )
        for number, submission in enumerate(usable)
    }
    return Admissions(outcomes, quota)


def _startable(waiting: Mapping[str, list[Unit]], objects: Objects, quota: QuotaTree) -> frozenset[int]:
    """The objects whose workloads fit while no quota is in use."""
    queues, known = cluster_queues(objects), flavors(objects)
    first = {unit.of: (unit, name) for name, units in waiting.items() for unit in units}
    return frozenset(
        number for number, (unit, name) in first.items() if not assign(unit.sets, queues[name], known, quota).waits
    )


def _title(submission: Submission) -> str:
    identity = submission.queued.item.identity
    return f"{identity.kind} {identity.name}"


def _is_known(submission: Submission, objects: Objects) -> bool:
    """Whether all that decides the admission is in the input."""
    queue = submission.queue
    known = flavors(objects)
    return (
        all(flavor.name in known for flavor in queue.flavors)
        and not any(objects.patched_names(*kind) for kind in (CLUSTER_QUEUE, RESOURCE_FLAVOR, COHORT))
        and all(is_readable(pod) and not pod.spec.get("resourceClaims") for pod in submission.pods)
        and sum(count_pods(pod, objects)[1] for pod in submission.pods) <= _MAX_UNITS
    )


def _stopped(submission: Submission, objects: Objects) -> str:
    """Why a queue admits nothing; "" if it does."""
    queue, queued = submission.queue, submission.queued
    locals_ = local_queues(queued.queue, queued.item.identity.namespace, objects)
    for item in (queue.item, *locals_):
        if text_at(item.body, "spec", "stopPolicy") not in ("", "None"):
            return f"{item.identity.kind} {item.identity.name} is stopped"
    selector, namespace = reach(queue.item.body, "spec", "namespaceSelector"), queued.item.identity.namespace
    if selector is None:
        return f"ClusterQueue {queue.name} selects no namespace"
    if namespace and excluding_label(mapping_at(selector), namespace, objects):
        return f"ClusterQueue {queue.name} does not select namespace {namespace}"
    return ""


def _units(number: int, submission: Submission, objects: Objects) -> Iterator[Unit]:
    item = submission.queued.item
    sets = tuple(
        PodSet(pod, at_once(pod), {name: amount for name, amount in pod.requests().items() if amount > Decimal(0)})
        for pod in submission.pods
    )
    created = text_at(item.body, "metadata", "creationTimestamp")
    unit = Unit(number, _priority(submission, objects), created, sets)
    first = submission.pods[0]
    times = count_pods(first, objects)[1] // at_once(first) if at_once(first) else 0
    yield from [unit] * max(times, 1)


def _priority(submission: Submission, objects: Objects) -> int:
    place = (*submission.queued.queue_at[:-1], QUEUE_PRIORITY_LABEL)
    name = text_at(submission.queued.item.body, *place)
    kind = WORKLOAD_PRIORITY_CLASS
    if not name:
        kind = PRIORITY_CLASS
        name = next((text_at(pod.spec, "priorityClassName") for pod in submission.pods), "")
    values = [mapping_at(found.body).get("value") for found in objects.by_name(*kind, name)] if name else []
    return next((value for value in values if isinstance(value, int)), 0)


def _outcome(done: list[tuple[Unit, Assignment]], stopped: str, queue: QuotaOwner) -> Outcome:
    pods: dict[Pointer, int] = {}
    names: dict[str, None] = {}
    waits = stopped
    for unit, assignment in done:
        waits = waits or assignment.waits
        for pod_set in unit.sets if not assignment.waits else ():
            pods[pod_set.pod.pointer] = pods.get(pod_set.pod.pointer, 0) + pod_set.number
        names.update(dict.fromkeys(assignment.flavors))
    return Outcome(pods, tuple(names), waits, bool(list_at(queue.item.body, *_CHECKS)), queue.name)
