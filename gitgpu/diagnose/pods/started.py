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


def startup_answer(item: Item, state: State) -> Answer:
    """The answer of a pod that has a node and does not run yet: what its containers wait for."""
    node = str(reach(item.body, "spec", "nodeName"))
    minutes = state.minutes_since(text_at(item.body, "metadata", "creationTimestamp"))
    reason, message = _container_state(item)
    events = [event for event in state.events_of(item) if event.reason.startswith("Failed")]
    text = message or (events[0].message if events else "")
    known = next(iter(pasted_symptoms(symptoms(state.objects.catalog), text)), None) if text else None
    evidence = (
        Evidence(subject_of(item).full_name, f"{reason}: {text}" if text else reason or "no container has a state yet"),
    )
    if known:
        cause = Cause(
            NOT_STARTED,
            f"{reason or 'it'}: {clause(known.cause)}",
            known.remedy,
            tuple(_filled_in(command, item, node) for command in known.commands),
            known.rules,
        )
    elif events and reason in _CREATING:
        command = f"kubectl describe pod -n {item.identity.namespace} {item.identity.name}"
        message = f"its containers are not created: {events[0].reason}"
        cause = Cause(NOT_STARTED, message, "correct what the event says", (command,))
    elif init := init_container(item):
        late = minutes is not None and minutes >= 30
        command = f"kubectl logs -n {item.identity.namespace} {item.identity.name} -c {init}"
        message = f"its init container {init} has not ended"
        cause = Cause(NOT_STARTED, message, "read the log of the init container", (command,), normal=not late)
        evidence = (Evidence(subject_of(item).full_name, f"init container {init} runs"),)
    elif reason in _CREATING:
        late = minutes is not None and minutes >= 30
        message = "its containers are being created: images of GPU software have many gigabytes"
        cause = Cause(NOT_STARTED, message, "wait, or read its events", normal=not late)
    else:
        command = f"kubectl describe pod -n {item.identity.namespace} {item.identity.name}"
        cause = Cause(NOT_STARTED, f"its containers do not start: {reason}", "correct what its events say", (command,))
    return Answer(subject_of(item), cause, evidence, (node,), minutes)


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
