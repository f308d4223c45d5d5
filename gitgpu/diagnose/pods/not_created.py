"""Pods that do not exist: the API server refuses them, or their owner is suspended."""

import re
from collections.abc import Iterator

from gitgpu.access import mapping_at, reach, rows, text_at
from gitgpu.diagnose.cause import QUEUED, QUOTA, SUSPENDED, Answer, Cause, Evidence, Subject, subject_of
from gitgpu.diagnose.reading.conditions import condition
from gitgpu.diagnose.reading.events import Event
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.kinds import QUEUED_WORKLOAD
from gitgpu.model.names.labels import QUEUE_LABEL
from gitgpu.model.symptoms import rules_of
from gitgpu.objects.objects import Item
from gitgpu.objects.workload.queues import suspension_place

_FAILED = ("FailedCreate", "FailedCreatePod")
# The queue is missing, stopped or wrong: getQueueBlocker in pkg/controller/core/workload_controller.go at ff69552e79ad.
_NEVER = ("Inadmissible", "Misconfigured", "Suspended")
# plugin/pkg/admission/runtimeclass of kubernetes/kubernetes v1.36.2
_RUNTIME = re.compile(r'RuntimeClass "([^"]+)" not found')
_POLICY = re.compile(r"(admission webhook \"[^\"]+\"|ValidatingAdmissionPolicy '[^']+')")


def refused_pods(state: State) -> Iterator[Answer]:
    """The objects whose pods the API server refuses, by their last event FailedCreate."""
    for (kind, namespace, name), events in state.events.items():
        event = next((event for event in events if event.reason in _FAILED), None)
        if event:
            evidence = Evidence(f"{kind} {namespace}/{name}", f"event {event.reason}: {event.message}")
            yield Answer(Subject(kind, namespace, name), _refusal(event, state), (evidence,))


def _refusal(event: Event, state: State) -> Cause:
    text, namespace = event.message, event.namespace
    if "exceeded quota" in text:
        quota = text.partition("exceeded quota: ")[2].partition(",")[0]
        message = f"ResourceQuota {quota} of namespace {namespace} leaves no room for its pods"
        command = f"kubectl describe resourcequota -n {namespace}"
        rules = rules_of("exceeded-quota", state.objects.catalog)
        return Cause(QUOTA, message, "raise the quota, or delete pods that use it", (command,), rules)
    if "usage per Container" in text or "usage per Pod" in text:
        message = f"a LimitRange of namespace {namespace} refuses its pods"
        command = f"kubectl describe limitrange -n {namespace}"
        return Cause(QUOTA, message, "request what the LimitRange allows", (command,))
    if match := _RUNTIME.search(text):
        name = match.group(1)
        message = f"its pods name RuntimeClass {name}, which does not exist"
        remedy = f"install what creates the RuntimeClass {name}, such as the GPU Operator, or remove runtimeClassName"
        return Cause(QUOTA, message, remedy, ("kubectl get runtimeclasses",))
    if match := _POLICY.search(text):
        return Cause(QUOTA, f"{match.group(1)} refuses its pods", "do what its message says")
    command = f"kubectl describe {event.kind.lower()} -n {namespace} {event.name}"
    return Cause(QUOTA, "the API server refuses its pods", "correct what its message says", (command,))


def suspended_workloads(state: State) -> Iterator[Answer]:
    """The workloads that are suspended, and what Kueue says about those that are in a queue."""
    for item in state.objects.items:
        if suspension_place(item) is None:
            continue
        if text_at(item.body, "metadata", "labels", QUEUE_LABEL):
            yield admission_answer(item, state)
        else:
            subject = subject_of(item)
            cause = Cause(SUSPENDED, "it is suspended", "set suspend: false to start it", normal=True)
            yield Answer(subject, cause, (Evidence(subject.full_name, "suspend: true"),))


def admission_answer(item: Item, state: State) -> Answer:
    """The answer of a workload or pod that Kueue holds back, with what its Workload says."""
    queue = text_at(item.body, "metadata", "labels", QUEUE_LABEL)
    workload = _workload_of(item, state)
    reserved = condition(workload, "QuotaReserved") if workload else None
    said = f": {reserved.message}" if reserved and reserved.status != "True" and reserved.message else ""
    where = f" in LocalQueue {queue}" if queue else ""
    evidence: tuple[Evidence, ...] = ()
    if workload and reserved:
        evidence = (Evidence(f"Workload {workload.identity.name}", str(reserved)),)
    checks = _unready_checks(workload) if workload else ()
    evidence += checks
    refused = reserved is not None and reserved.reason in _NEVER
    remedy = "wait until other workloads end, request less, or raise the quota"
    if reserved is None:
        remedy = "look at the conditions of its Workload: `kubectl get workloads -A`"
    elif refused:
        remedy = "correct what the message says about the queue"
    message = f"Kueue has not admitted it{where}{said}"
    if checks:
        message, remedy = f"{message}; {checks[0].text}", "do what the admission check says"
    return Answer(subject_of(item), Cause(QUEUED, message, remedy, normal=not refused), evidence)


def _unready_checks(workload: Item) -> tuple[Evidence, ...]:
    """What the admission checks of a Workload wait for: those that say more than that they wait."""
    checks = ((row, text_at(row, "message")) for row in rows(workload.body, "status", "admissionChecks"))
    return tuple(
        Evidence(
            f"Workload {workload.identity.name}",
            f"admission check {text_at(row, 'name')} is {text_at(row, 'state')}: {message}",
        )
        for row, message in checks
        if message and text_at(row, "state") != "Ready"
    )


def _workload_of(item: Item, state: State) -> Item | None:
    """Kueue's Workload of an object."""
    for workload in state.objects.of(*QUEUED_WORKLOAD):
        for owner in reach(workload.body, "metadata", "ownerReferences") or ():
            names = mapping_at(owner)
            same = (names.get("kind"), names.get("name")) == (item.identity.kind, item.identity.name)
            if same and workload.identity.namespace == item.identity.namespace:
                return workload
    return None
