"""Pods that keep a node from being disrupted or drained: PodDisruptionBudgets and the annotation do-not-disrupt.

As IsEvictable and IsDoNotDisruptActive in pkg/utils/pod/scheduling.go and isEvictable in pkg/utils/pdb/pdb.go of
kubernetes-sigs/karpenter v1.14.0.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.access import mapping_at, reach, rows, text_at
from gitgpu.diagnose.cause import Evidence, subject_of
from gitgpu.diagnose.reading.clock import seconds
from gitgpu.diagnose.reading.conditions import condition
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.annotations import DO_NOT_DISRUPT_ANNOTATION
from gitgpu.model.names.kinds import DAEMON_SET, NODE, POD, POD_DISRUPTION_BUDGET
from gitgpu.model.symptoms import rules_of
from gitgpu.model.syntax.duration import PARTS
from gitgpu.model.syntax.duration import seconds as length
from gitgpu.objects.objects import Item
from gitgpu.schedule.taint import untolerated_taints
from gitgpu.simulate.pod.label_selectors import Labelled, Selector, selector

_DISRUPTED = {"key": "karpenter.sh/disrupted", "effect": "NoSchedule"}
_ENDED = ("Succeeded", "Failed")


class Blocker(NamedTuple):
    """What keeps a pod on its node."""

    message: str
    remedy: str
    evidence: Evidence
    rules: tuple[str, ...] = ()


def pods_on(node: Item, state: State) -> list[Item]:
    """The pods of a node that have not ended and are not being deleted."""
    return state.objects.once("pods by node", lambda: _by_node(state)).get(node.identity.name, [])


def _by_node(state: State) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for pod in state.objects.of(*POD):
        if text_at(pod.body, "status", "phase") not in _ENDED and not reach(pod.body, "metadata", "deletionTimestamp"):
            found.setdefault(text_at(pod.body, "spec", "nodeName"), []).append(pod)
    return found


def runs_pods(node: Item, state: State) -> bool:
    """Whether a node has pods besides those of DaemonSets and of its kubelet."""
    return any(not is_owned_by(pod, DAEMON_SET.kind, NODE.kind) for pod in pods_on(node, state))


def blockers(node: Item, state: State) -> Iterator[Blocker]:
    """What keeps the pods of a node there."""
    for pod in pods_on(node, state):
        if is_owned_by(pod, NODE.kind):
            continue
        title = subject_of(pod).full_name
        held = text_at(pod.body, "metadata", "annotations", DO_NOT_DISRUPT_ANNOTATION)
        if _is_held(pod, held, state):
            yield Blocker(
                f"a pod has the annotation {DO_NOT_DISRUPT_ANNOTATION}",
                "wait until the pod ends, or remove the annotation",
                Evidence(title, f"{DO_NOT_DISRUPT_ANNOTATION}: {held}"),
            )
        elif untolerated_taints([_DISRUPTED], rows(pod.body, "spec", "tolerations")):
            yield from budgets(pod, title, state)


def is_owned_by(pod: Item, *kinds: str) -> bool:
    """Whether an object of one of these kinds owns a pod."""
    return any(owner.get("kind") in kinds for owner in rows(pod.body, "metadata", "ownerReferences"))


def _is_held(pod: Item, held: str, state: State) -> bool:
    """Whether do-not-disrupt applies: always, or for a time after the start of the pod."""
    if held == "true" or not PARTS.search(held):
        return held == "true"
    start = seconds(reach(pod.body, "status", "startTime"))
    return start is None or state.now is None or state.now - start < length(held)


def budgets_of(pod: Item, state: State) -> list[Item]:
    """The PodDisruptionBudgets that select a pod."""
    labels = mapping_at(pod.body, "metadata", "labels")
    labelled = Labelled(pod.identity.namespace, tuple((str(key), str(value)) for key, value in labels.items()))
    known = state.objects.once("pod disruption budgets", lambda: _by_namespace(state))
    return [budget for budget, chosen in known.get(pod.identity.namespace, ()) if chosen.selects(labelled)]


def budgets(pod: Item, title: str, state: State) -> Iterator[Blocker]:
    """The PodDisruptionBudgets that keep a pod on its node."""
    matching = budgets_of(pod, state)
    names = [f"{budget.identity.namespace}/{budget.identity.name}" for budget in matching]
    rules = rules_of("pdb-prevents-evictions", state.objects.catalog)
    if len(matching) > 1:
        message = f"several PodDisruptionBudgets select a pod, and Kubernetes then evicts none: {', '.join(names)}"
        yield Blocker(message, "let one budget select the pod", Evidence(title, f"is selected by {names[0]}"), rules)
    elif matching and _forbids(matching[0], pod):
        message = f"PodDisruptionBudget {names[0]} allows no eviction"
        remedy = "start more replicas elsewhere, or change the budget"
        yield Blocker(message, remedy, Evidence(title, f"is protected by {names[0]}"), rules)


def _by_namespace(state: State) -> dict[str, list[tuple[Item, Selector]]]:
    found: dict[str, list[tuple[Item, Selector]]] = {}
    for budget in state.objects.of(*POD_DISRUPTION_BUDGET):
        namespace = budget.identity.namespace
        chosen = selector(reach(budget.body, "spec", "selector"), frozenset({namespace}))
        found.setdefault(namespace, []).append((budget, chosen))
    return found


def _forbids(budget: Item, pod: Item) -> bool:
    ready = condition(pod, "Ready")
    unhealthy = ready is not None and ready.status == "False"
    always = reach(budget.body, "spec", "unhealthyPodEvictionPolicy") == "AlwaysAllow"
    return reach(budget.body, "status", "disruptionsAllowed") == 0 and not (unhealthy and always)
