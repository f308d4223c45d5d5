"""Pods that have a node and do not run yet."""

import re

from gitgpu.access import mapping_at, reach, rows, text_at
from gitgpu.diagnose.cause import NOT_STARTED, Answer, Cause, Evidence, clause, subject_of
from gitgpu.diagnose.reading.containers import init_container
from gitgpu.diagnose.reading.state import State
from gitgpu.model.symptoms import pasted_symptoms, symptoms
from gitgpu.objects.objects import Item

_POD = re.compile(r"(?<![\w-])POD\b")
_NODE = re.compile(r"(?<![\w-])NODE\b")
_CREATING = ("", "ContainerCreating", "PodInitializing")
_LATE = 30  # minutes after which a start that goes on is no longer normal


def startup_answer(item: Item, state: State) -> Answer:
    """The answer of a pod that has a node and does not run yet: what its containers wait for."""
    subject, node = subject_of(item), str(reach(item.body, "spec", "nodeName"))
    minutes = state.minutes_since(text_at(item.body, "metadata", "creationTimestamp"))
    is_late = minutes is not None and minutes >= _LATE
    reason, message = _container_state(item)
    failures = [event for event in state.events_of(item) if event.reason.startswith("Failed")]
    text = message or (failures[0].message if failures else "")
    evidence = f"{reason}: {text}" if text else reason or "no container has a state yet"
    if text and (symptom := next(iter(pasted_symptoms(symptoms(state.objects.catalog), text)), None)):
        commands = tuple(_filled_in(command, item, node) for command in symptom.commands)
        message = f"{reason or 'it'}: {clause(symptom.cause)}"
        cause = Cause(NOT_STARTED, message, symptom.remedy, commands, symptom.rules)
    elif failures and reason in _CREATING:
        message = f"its containers are not created: {failures[0].reason}"
        cause = Cause(NOT_STARTED, message, "correct what the event says", (_describe(item),))
    elif init := init_container(item):
        command = f"kubectl logs -n {item.identity.namespace} {item.identity.name} -c {init}"
        message = f"its init container {init} has not ended"
        cause = Cause(NOT_STARTED, message, "read the log of the init container", (command,), normal=not is_late)
        evidence = f"init container {init} runs"
    elif reason in _CREATING:
        message = "its containers are being created: images of GPU software have many gigabytes"
        cause = Cause(NOT_STARTED, message, "wait, or read its events", normal=not is_late)
    else:
        message = f"its containers do not start: {reason}"
        cause = Cause(NOT_STARTED, message, "correct what its events say", (_describe(item),))
    return Answer(subject, cause, (Evidence(subject.full_name, evidence),), (node,), minutes)


def _describe(item: Item) -> str:
    return f"kubectl describe pod -n {item.identity.namespace} {item.identity.name}"


def _filled_in(command: str, item: Item, node: str) -> str:
    """A command with the names of the pod and its node instead of POD and NODE."""
    pod = f"-n {item.identity.namespace} {item.identity.name}"
    return _NODE.sub(node, _POD.sub(pod, command))


def _container_state(item: Item) -> tuple[str, str]:
    """The reason and the message of the first container that waits."""
    for key in ("initContainerStatuses", "containerStatuses"):
        for container in rows(item.body, "status", key):
            waiting = mapping_at(container, "state", "waiting")
            if text_at(waiting, "reason") not in ("", "PodInitializing"):
                return text_at(waiting, "reason"), text_at(waiting, "message")
    return text_at(item.body, "status", "reason"), text_at(item.body, "status", "message")
