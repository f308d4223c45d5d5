"""The verdict on each Pending pod: what holds it back, in the order in which Kubernetes and Karpenter look at it."""

import re
from collections.abc import Iterator, Mapping

from gitgpu.access import reach, text_at
from gitgpu.diagnose.cause import (
    CLOUD_REFUSED,
    FITS_NOW,
    LIMIT,
    NO_POOL,
    NODE_CLASS,
    NODE_FAULT,
    NODE_NOT_READY,
    QUEUED,
    STUCK_NODE,
    UNKNOWN,
    WAITING_FOR_NODE,
    WITHOUT_GPUS,
    Answer,
    Cause,
    Evidence,
    subject_of,
)
from gitgpu.diagnose.nodes.refusals import Refusal
from gitgpu.diagnose.nodes.software import daemon_node
from gitgpu.diagnose.pods.cluster import Cluster
from gitgpu.diagnose.pods.gates import gate_answer
from gitgpu.diagnose.pods.of_scalers import by_cloud, of_scalers
from gitgpu.diagnose.pods.placed import Placed
from gitgpu.diagnose.pods.preemption import preemption_answer
from gitgpu.diagnose.pods.started import startup_answer
from gitgpu.diagnose.reading.conditions import condition
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.groups import KUEUE_GROUP
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL, NODE, NODE_POOL, POD
from gitgpu.model.symptoms import rules_of
from gitgpu.objects.node.node_pools import SPEC
from gitgpu.objects.objects import Item
from gitgpu.simulate.node.node_group import Maker
from gitgpu.simulate.place.node_claim import NodeClaim
from gitgpu.source import Pointer

# What kube-scheduler says about volumes that the dump may lack: pkg/scheduler/framework/plugins/volumebinding.
_VOLUME = re.compile(r'persistentvolumeclaim "[^"]+" not found|pod has unbound immediate PersistentVolumeClaims')
_OF_KUEUE = f"{KUEUE_GROUP}/"
_NOMINATED = re.compile(r"nodeclaim/([^\s,]+)")  # the event Nominated of Karpenter
# The kinds of reasons of the simulator that are verdicts of their own.
_VERDICTS = {"closed": FITS_NOW, "limit": LIMIT, "class": NODE_CLASS, "queue": QUEUED}
# Reasons that may be gone once a node of the pool works.
_FULL = ("apart", "limit", "pools", "resource", "taint")
# The symptoms, in catalog/symptoms, that have the rules about a kind of reason.
_SYMPTOMS = {
    "limit": "exceed-limits",
    "taint": "did-not-tolerate-taint",
    "label": "unknown-label-values",
    "size": "no-instance-type-requirements",
    "resource": "no-instance-type-resources",
    "offering": "no-instance-type-offering",
}
# The fields of a NodePool that are in the way.
_FIELDS: Mapping[str, Pointer] = {
    "limit": ("spec", "limits"),
    "taint": (*SPEC, "taints"),
    "label": ("spec", "template", "metadata", "labels"),
    "size": (*SPEC, "requirements"),
    "resource": (*SPEC, "requirements"),
}
_FOR_NODE, _STUCK = (WAITING_FOR_NODE, STUCK_NODE, CLOUD_REFUSED), (NODE_NOT_READY, WITHOUT_GPUS)
_BY_SCALERS = ("FailedScheduling", "NotTriggerScaleUp", "FailedScaleUp")
_BY_SCHEDULER = "default-scheduler"


def pending_pods(state: State) -> list[Item]:
    """The pods that wait for a node or start on one, in order of namespace and name."""
    waiting_items = [
        item
        for item in state.objects.of(*POD)
        if text_at(item.body, "status", "phase") in ("", "Pending")
        and not reach(item.body, "metadata", "deletionTimestamp")
    ]
    return sorted(waiting_items, key=lambda item: item.identity)


def pod_answers(cluster: Cluster) -> Iterator[Answer]:
    """The verdict on each Pending pod."""
    for item in pending_pods(cluster.state):
        has_node = reach(item.body, "spec", "nodeName")
        yield startup_answer(item, cluster.nodes, cluster.state) if has_node else _waiting(item, cluster)


def _waiting(item: Item, cluster: Cluster) -> Answer:
    minutes = cluster.state.minutes_since(text_at(item.body, "metadata", "creationTimestamp"))
    gone = _gone(item, cluster)
    answer = (
        gate_answer(item, cluster.state)
        or preemption_answer(item, cluster.state)
        or _daemon_answer(item, cluster)
        or _nominated(item, cluster)
        or _simulated_answer(item, cluster)
        or Answer(subject_of(item), _not_placed(cluster.state))
    )
    evidence = (*answer.evidence, *gone, *_scheduler_evidence(item, cluster.state))
    return answer._replace(evidence=tuple(dict.fromkeys(evidence)), minutes=minutes)


def _daemon_answer(item: Item, cluster: Cluster) -> Answer | None:
    """The answer about the node that a pod of a DaemonSet is for, if that is stuck because of the pod."""
    about = cluster.nodes.get(daemon_node(item))
    is_cause = about is not None and any(entry.object == subject_of(item).full_name for entry in about.evidence)
    return _as_of_pod(item, about) if about and is_cause else None


def _nominated(item: Item, cluster: Cluster) -> Answer | None:
    """The answer about the NodeClaim that Karpenter has chosen for the pod."""
    for event in cluster.state.events_of(item):
        if event.reason != "Nominated":
            continue
        match = _NOMINATED.search(event.message)
        claim = cluster.claims.get(match.group(1)) if match else None
        if claim and claim.waits and not claim.deleted:
            return _for_node(item, claim.node or claim.name, cluster)
    return None


def _gone(item: Item, cluster: Cluster) -> tuple[Evidence, ...]:
    """The last choice of Karpenter, if its NodeClaim is not in the dump."""
    event = next((event for event in cluster.state.events_of(item) if event.reason == "Nominated"), None)
    match = _NOMINATED.search(event.message) if event else None
    if match is None or match.group(1) in cluster.claims:
        return ()
    text = f"Karpenter chose NodeClaim {match.group(1)}, which is not in the dump"
    return (Evidence(subject_of(item).full_name, text),)


def _for_node(item: Item, node: str, cluster: Cluster) -> Answer | None:
    """The answer of a pod that waits for a node: that about the node. None if the node only has a fault."""
    about = cluster.nodes.get(node)
    if about is None or about.cause.verdict not in (*_FOR_NODE, *_STUCK):
        return None
    return _as_of_pod(item, about)


def _as_of_pod(item: Item, about: Answer) -> Answer:
    """The answer about a node, as that of a pod that waits for it."""
    verdict = STUCK_NODE if about.cause.verdict in (*_STUCK, NODE_FAULT) else about.cause.verdict
    return about._replace(subject=subject_of(item), cause=about.cause._replace(verdict=verdict))


def _simulated_answer(item: Item, cluster: Cluster) -> Answer | None:
    placed = cluster.placed.get(item.identity)
    if placed is None:
        return None
    if placed.node is None:
        return _unplaced(item, placed, cluster)
    if placed.node.real:
        return _for_node(item, placed.node.real, cluster) or _fits(item, placed.node, cluster.state)
    answer = _new_node(item, placed.node, placed, cluster)
    return answer._replace(evidence=(*answer.evidence, *_closed(placed, cluster)))


def _closed(placed: Placed, cluster: Cluster) -> Iterator[Evidence]:
    """The running nodes that have room for a pod that gets a new one: opening them is faster, and costs nothing."""
    for reason in placed.closed:
        help_text = "" if reason.node in cluster.nodes else f": {reason.help}"  # not if something is wrong with it
        yield Evidence(f"Node {reason.node}", f"{reason.message.removeprefix(f'node {reason.node} ')}{help_text}")


def _fits(item: Item, node: NodeClaim, state: State) -> Answer:
    message = f"a node of pool {node.group.name} has room for it"
    remedy = "wait for the scheduler; if the pod stays Pending, its last event says what the scheduler sees"
    scheduled = condition(item, "PodScheduled")
    refused = _VOLUME.search(scheduled.message) if scheduled and scheduled.status == "False" else None
    if refused:
        message = f"{message}, but kube-scheduler does not bind it: {refused.group()}"
        remedy = f"look at its claims: kubectl get pvc -n {item.identity.namespace}"
    scheduler = text_at(item.body, "spec", "schedulerName")
    other = scheduler not in ("", _BY_SCHEDULER) and scheduled is None
    if other:
        said = next((event.message for event in state.events_of(item) if event.source == scheduler), "")
        message = f"{message}, but the scheduler {scheduler}, which it names, " + (
            f"does not bind it: {said}" if said else "has not looked at it"
        )
        remedy = f"do what {scheduler} says" if said else f"check that {scheduler} runs and watches the namespace"
        remedy += ", or remove schedulerName"
    evidence = (Evidence(f"Node {node.real}", "has room for the pod"),)
    normal = not refused and not other
    return Answer(subject_of(item), Cause(FITS_NOW, message, remedy, normal=normal), evidence, (node.real,))


def _new_node(item: Item, node: NodeClaim, placed: Placed, cluster: Cluster) -> Answer:
    """The answer of a pod for which a new node would be started."""
    pool = node.group.name
    if refusal := _refused(pool, cluster):
        return by_cloud(item, refusal, cluster)
    sizes = "/".join(placed.verdict.skus)
    by_karpenter = node.group.maker is Maker.KARPENTER
    maker = "Karpenter" if by_karpenter else "the cluster autoscaler"
    message = f"{maker} would start a node of pool {pool} ({sizes}) for it, and the dump has none yet"
    remedy = f"wait a minute; if no node appears, look at the events of {maker}"
    source = "karpenter" if by_karpenter else "cluster-autoscaler"
    command = f"kubectl get events -A --field-selector source={source}"
    minutes = cluster.state.minutes_since(text_at(item.body, "metadata", "creationTimestamp"))
    is_new = minutes is None or minutes < 5
    return Answer(subject_of(item), Cause(WAITING_FOR_NODE, message, remedy, (command,), normal=is_new))


def _unplaced(item: Item, placed: Placed, cluster: Cluster) -> Answer:
    reasons = placed.verdict.reasons
    if not reasons:
        return Answer(subject_of(item), _not_placed(cluster.state))
    first = reasons[0]
    stuck = cluster.nodes.get(first.node) or (cluster.stuck_node(item) if first.kind in _FULL else None)
    if stuck:
        also = tuple(Evidence(f"pool {reason.pool}", reason.message) for reason in reasons if reason.kind == "limit")
        return _as_of_pod(item, stuck._replace(evidence=(*stuck.evidence, *also)))
    if first.kind == "pools":
        return of_scalers(item, cluster) or Answer(subject_of(item), _no_pools(cluster.state))
    if first.kind == "offering" and (refusal := _refused(first.pool, cluster)):
        return by_cloud(item, refusal, cluster)
    if first.kind == "class" and (about := cluster.classes.get(first.pool)):
        return about._replace(subject=subject_of(item))
    verdict = _VERDICTS.get(first.kind, NO_POOL)
    pool = f"pool {first.pool}: " if first.pool and not first.node else ""
    catalog = cluster.state.objects.catalog
    rules = rules_of(_SYMPTOMS[first.kind], catalog) if first.kind in _SYMPTOMS else ()
    near = "" if verdict != NO_POOL else "no pool can run it; the nearest is "
    field = _FIELDS.get(first.kind, ()) if first.pool else ()
    cause = Cause(verdict, f"{near}{pool}{first.message}", first.help, rules=rules, pool=first.pool, field=field)
    evidence = [Evidence(f"pool {reason.pool}", reason.message) for reason in reasons[1:3] if reason.pool]
    doubts = [Evidence("not certain", doubt.message) for doubt in placed.verdict.doubts if doubt.decides]
    return Answer(subject_of(item), cause, (*evidence, *doubts[:2]), (first.node,) if first.node else ())


def _refused(pool: str, cluster: Cluster) -> Refusal | None:
    return next((refusal for refusal in cluster.refusals if refusal.pool == pool), None)


def _no_pools(state: State) -> Cause:
    if any(fault.message.startswith(NODE_POOL.kind) for fault in state.unread):
        message = "no node of the dump has room for it, and the NodePools of the dump could not be read"
        return Cause(UNKNOWN, message, "see the warnings about them")
    message = "no node of the dump has room for it, and the dump has no node pools that could start one"
    return Cause(
        UNKNOWN, message, "add NodePools and AKSNodeClasses, or what `az aks nodepool list` prints, to the dump"
    )


def _not_placed(state: State) -> Cause:
    """The cause if the simulator has no answer: what the dump lacks, or a pod that needs no GPU node."""
    if not any(state.has_kind(kind) for kind in (NODE_POOL.kind, MANAGED_CLUSTERS_AGENT_POOL.kind, NODE.kind)):
        message = "the dump has neither nodes nor node pools, so nothing says where it could run"
        return Cause(UNKNOWN, message, "add Nodes, NodePools and AKSNodeClasses to the dump")
    message = "it needs no GPU node, and gitgpu places only pods that may run on one"
    return Cause(UNKNOWN, message, "read the last event of kube-scheduler about the pod")


def _scheduler_evidence(item: Item, state: State) -> Iterator[Evidence]:
    """What kube-scheduler and Karpenter said last about the pod."""
    scheduled = condition(item, "PodScheduled")
    if scheduled and scheduled.status == "False" and scheduled.message:
        yield Evidence(subject_of(item).full_name, str(scheduled))
    for event in state.events_of(item):
        if event.reason in _BY_SCALERS and event.source != _BY_SCHEDULER:
            yield Evidence(
                subject_of(item).full_name, f"event {event.reason} of {event.source or 'a controller'}: {event.message}"
            )
            return
