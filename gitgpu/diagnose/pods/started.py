"""Pods that have a node and do not run, or that end again and again."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from gitgpu.access import mapping_at, reach, rows, text_at
from gitgpu.diagnose.cause import NOT_STARTED, Answer, Cause, Evidence, clause, subject_of
from gitgpu.diagnose.nodes.faults import stops_containers
from gitgpu.diagnose.nodes.software import obstacle_of_image
from gitgpu.diagnose.reading.containers import init_container
from gitgpu.diagnose.reading.events import Event
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.kinds import NODE
from gitgpu.model.symptoms import Symptom, symptom_in
from gitgpu.objects.objects import Item

_POD = re.compile(r"(?<![\w-])POD\b")
_NODE = re.compile(r"(?<![\w-])NODE\b")
_CREATING = ("", "ContainerCreating", "PodInitializing")
_PATIENCE = 30  # minutes
_OF_DRIVER = "driver"  # the group of the symptoms that a node image can cause


class Waiting(NamedTuple):
    """Why a container waits, and how it ended before: its reason, exit code and message; "" without any."""

    reason: str
    message: str
    ended: str = ""
    last_message: str = ""


def is_crashing(item: Item) -> bool:
    """Whether a pod of the phase Running has a container that ends again and again, or that cannot be started."""
    return text_at(item.body, "status", "phase") == "Running" and _waiting(item).reason not in _CREATING


def startup_answer(item: Item, nodes: Mapping[str, Answer], state: State) -> Answer:
    """The answer of a pod that has a node and does not run: what its containers wait for.

    `nodes` are the answers about nodes.
    """
    node = str(reach(item.body, "spec", "nodeName"))
    waiting, title = _waiting(item), subject_of(item).full_name
    events = [event for event in state.events_of(item) if event.reason.startswith("Failed")]
    text = waiting.message or (events[0].message if events else "")
    before = _known(f"{waiting.ended} {waiting.last_message}".strip(), state)
    shown = f"{waiting.reason}: {text}" if text else waiting.reason or "no container has a state yet"
    evidence = [Evidence(title, shown)]
    if waiting.ended:
        said = f": {waiting.last_message}" if before and waiting.last_message else ""
        evidence.append(Evidence(title, f"ended before with {waiting.ended}{said}"))
    minutes = state.minutes_since(text_at(item.body, "metadata", "creationTimestamp"))
    if known := before or _known(text, state):
        cause = _symptom_cause(known, waiting.reason, item, node)
        if known.group == _OF_DRIVER:
            cause, found = _with_image(cause, node, state)
            evidence += found
    elif (about := nodes.get(node)) and stops_containers(about):
        cause = about.cause._replace(verdict=NOT_STARTED)
        evidence += about.evidence
    elif (init := init_container(item)) and not events:
        cause = _init_container_cause(init, item, is_late=_is_late(minutes))
        evidence = [Evidence(title, f"init container {init} runs")]
    else:
        cause = _reason_cause(waiting.reason, events, item, is_late=_is_late(minutes))
    return Answer(subject_of(item), cause, tuple(evidence), (node,), minutes)


def _is_late(minutes: int | None) -> bool:
    return minutes is not None and minutes >= _PATIENCE


def _init_container_cause(init: str, item: Item, *, is_late: bool) -> Cause:
    command = f"kubectl logs -n {item.identity.namespace} {item.identity.name} -c {init}"
    message = f"its init container {init} has not ended"
    return Cause(NOT_STARTED, message, "read the log of the init container", (command,), normal=not is_late)


def _reason_cause(reason: str, events: list[Event], item: Item, *, is_late: bool) -> Cause:
    """The cause by the reason of a container, or the last event about the pod, which no symptom explains."""
    command = f"kubectl describe pod -n {item.identity.namespace} {item.identity.name}"
    if reason not in _CREATING:
        return Cause(NOT_STARTED, f"its containers do not start: {reason}", "correct what its events say", (command,))
    if events:
        message = f"its containers are not created: {events[0].reason}"
        return Cause(NOT_STARTED, message, "correct what the event says", (command,))
    message = "its containers are being created: images of GPU software have many gigabytes"
    return Cause(NOT_STARTED, message, "wait, or read its events", normal=not is_late)


def _known(text: str, state: State) -> Symptom | None:
    return symptom_in(text, ("pods", "containers", "driver", "models"), state.objects.catalog)


def _symptom_cause(known: Symptom, reason: str, item: Item, node: str) -> Cause:
    commands = tuple(_filled_in(command, item, node) for command in known.commands)
    return Cause(NOT_STARTED, f"{reason or 'it'}: {clause(known.cause)}", known.remedy, commands, known.rules)


def _with_image(cause: Cause, node: str, state: State) -> tuple[Cause, tuple[Evidence, ...]]:
    """A cause with the advisory about the image of the node, if one explains it, and its evidence."""
    found = (obstacle_of_image(item, state) for item in state.objects.of(*NODE) if item.identity.name == node)
    advised = next(filter(None, found), None)
    if advised is None:
        return cause, ()
    rules = (*advised.rules, *cause.rules)
    return cause._replace(message=f"{cause.message}; {advised.message}", remedy=advised.remedy, rules=rules), (
        advised.evidence
    )


def _filled_in(command: str, item: Item, node: str) -> str:
    """A command with the names of the pod and its node instead of POD and NODE."""
    pod = f"-n {item.identity.namespace} {item.identity.name}"
    return _NODE.sub(node, _POD.sub(pod, command))


def _waiting(item: Item) -> Waiting:
    """The first container that waits."""
    for key in ("initContainerStatuses", "containerStatuses"):
        for container in rows(item.body, "status", key):
            waiting = mapping_at(container, "state", "waiting")
            if text_at(waiting, "reason") not in ("", "PodInitializing"):
                last = mapping_at(container, "lastState", "terminated")
                code = last.get("exitCode")
                ended = text_at(last, "reason") + (f" (exit code {code})" if isinstance(code, int) else "")
                said = text_at(waiting, "reason"), text_at(waiting, "message")
                return Waiting(*said, ended.strip(), text_at(last, "message"))
    return Waiting(text_at(item.body, "status", "reason"), text_at(item.body, "status", "message"))
