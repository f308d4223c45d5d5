"""NodePools that cannot start nodes, because they or their node classes are not Ready."""

from collections.abc import Iterator

from gitgpu.access import reach, text_at
from gitgpu.diagnose.cause import NODE_CLASS, Answer, Cause, Evidence, Subject, clause
from gitgpu.diagnose.reading.conditions import condition, conditions
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.kinds import AKS_NODE_CLASS, NODE_POOL
from gitgpu.model.symptoms import symptom_in
from gitgpu.objects.node.node_pools import SPEC
from gitgpu.objects.objects import Item


def class_answers(state: State) -> dict[str, Answer]:
    """The answers about NodePools that are not Ready, by name: about the node class, if that is the reason."""
    classes = {item.identity.name: item for item in state.objects.of(*AKS_NODE_CLASS)}
    found: dict[str, Answer] = {}
    for pool in state.objects.of(*NODE_POOL):
        named = text_at(reach(pool.body, *SPEC, "nodeClassRef"), "name")
        for item, class_name in ((classes.get(named), named), (pool, named)):
            if item and (answer := _not_ready(item, class_name, state)):
                found[pool.identity.name] = answer._replace(subject=Subject(NODE_POOL.kind, "", pool.identity.name))
                break
    return found


def unused_classes(state: State) -> Iterator[Answer]:
    """The answers about node classes that are not Ready and that no NodePool of the dump names."""
    pools = state.objects.of(*NODE_POOL)
    used = {text_at(reach(pool.body, *SPEC, "nodeClassRef"), "name") for pool in pools}
    for item in state.objects.of(*AKS_NODE_CLASS):
        if item.identity.name not in used and (answer := _not_ready(item, item.identity.name, state)):
            yield answer


def _not_ready(item: Item, class_name: str, state: State) -> Answer | None:
    """The answer about a NodePool, or about its node class, if it is not Ready."""
    ready = condition(item, "Ready")
    if ready is None or ready.status == "True":
        return None
    # Of a NodePool, Ready only says which other condition is not True.
    parts = (entry for entry in conditions(item) if entry.status == "False" and entry.type != "Ready" and entry.message)
    ready = next(parts, ready)
    title = f"{item.identity.kind} {item.identity.name}"
    said = ready.message or ready.reason or "no reason is given"
    known = symptom_in(said, ("nodes", "azure"), state.objects.catalog)
    about = f" (AKSNodeClass {class_name})" if item.identity.kind == NODE_POOL.kind else ""
    reason = clause(known.cause) if known else said
    message = f"{title}{about} is not Ready, so Karpenter does not start nodes with it: {reason}"
    command = f"kubectl describe {item.identity.kind.lower()} {item.identity.name}"
    remedy, rules = (known.remedy, known.rules) if known else ("correct what the condition says", ())
    cause = Cause(NODE_CLASS, message.rstrip("."), remedy, (command,), rules)
    subject = Subject(item.identity.kind, "", item.identity.name)
    return Answer(subject, cause, (Evidence(title, str(ready)),), (), state.minutes_since(ready.since))
