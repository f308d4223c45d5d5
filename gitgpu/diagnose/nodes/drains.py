"""Why nodes that are being removed are not drained."""

from collections.abc import Iterator

from gitgpu.access import mapping_at, reach, text_at
from gitgpu.diagnose.cause import NOT_DRAINED, Answer, Cause, Evidence, Subject
from gitgpu.diagnose.nodes.claims import Claim
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.annotations import DO_NOT_DISRUPT_ANNOTATION
from gitgpu.model.names.kinds import NODE, POD, POD_DISRUPTION_BUDGET
from gitgpu.model.symptoms import rules_of
from gitgpu.objects.objects import Item
from gitgpu.simulate.pod.label_selectors import Labelled, selector

_PATIENCE = 10  # minutes


def drain_answers(claims: tuple[Claim, ...], state: State) -> Iterator[Answer]:
    """The answers about nodes that have been deleted for longer than a pod needs to stop."""
    graces = {claim.node: reach(claim.item.body, "spec", "terminationGracePeriod") for claim in claims}
    for node in state.objects.of(*NODE):
        since = reach(node.body, "metadata", "deletionTimestamp")
        minutes = state.waited(since)
        if not since or (minutes is not None and minutes < _PATIENCE):
            continue
        found = list(_blocking(node, state))
        if not found:
            continue
        grace = graces.get(node.identity.name)
        ends = f"; Karpenter ends it {grace} after the deletion" if grace else ""
        message, remedy, _ = found[0]
        message = f"the node is being removed and is not drained: {message}{ends}"
        rules = rules_of("pdb-prevents-evictions", state.objects.catalog)
        cause = Cause(NOT_DRAINED, message, remedy, rules=rules)
        more = tuple(entry for _, _, entry in found)
        yield Answer(Subject(NODE.kind, "", node.identity.name), cause, more, (node.identity.name,), minutes)


def _blocking(node: Item, state: State) -> Iterator[tuple[str, str, Evidence]]:
    pods = [pod for pod in state.objects.of(*POD) if reach(pod.body, "spec", "nodeName") == node.identity.name]
    for pod in pods:
        title = f"Pod {pod.identity.namespace}/{pod.identity.name}"
        if budget := _budget(pod, state):
            name = f"{budget.identity.namespace}/{budget.identity.name}"
            remedy = "start more replicas elsewhere, or change the budget"
            yield f"PodDisruptionBudget {name} allows no eviction", remedy, Evidence(title, f"is protected by {name}")
        held = text_at(pod.body, "metadata", "annotations", DO_NOT_DISRUPT_ANNOTATION)
        if held and held != "false":
            message = f"a pod has the annotation {DO_NOT_DISRUPT_ANNOTATION}"
            yield (
                message,
                "wait until the pod ends, or remove the annotation",
                Evidence(title, f"{DO_NOT_DISRUPT_ANNOTATION}: {held}"),
            )


def _budget(pod: Item, state: State) -> Item | None:
    """A budget that allows no eviction of the pod now."""
    labels = mapping_at(pod.body, "metadata", "labels")
    labelled = Labelled(pod.identity.namespace, tuple((str(key), str(value)) for key, value in labels.items()))
    for budget in state.objects.of(*POD_DISRUPTION_BUDGET):
        spaces = frozenset({budget.identity.namespace})
        chosen = selector(reach(budget.body, "spec", "selector"), spaces)
        if chosen.selects(labelled) and reach(budget.body, "status", "disruptionsAllowed") == 0:
            return budget
    return None
