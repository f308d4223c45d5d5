"""What is wrong with nodes: not Ready, without their GPUs, stuck before they are initialized, or with a fault."""

from decimal import Decimal

from gitgpu.access import mapping_at, reach, rows
from gitgpu.diagnose.cause import (
    NODE_FAULT,
    NODE_NOT_READY,
    STUCK_NODE,
    WAITING_FOR_NODE,
    WITHOUT_GPUS,
    Answer,
    Cause,
    Evidence,
    Subject,
    clause,
)
from gitgpu.diagnose.nodes.claims import LAUNCH_TIMEOUT, REGISTRATION_TIMEOUT, Claim
from gitgpu.diagnose.nodes.configs import missing_config, missing_layout
from gitgpu.diagnose.nodes.faults import (
    fault_answer,
    fault_evidence,
    fault_text,
    is_cause,
    pressure,
    reported_faults,
)
from gitgpu.diagnose.nodes.partitions import partition_answer
from gitgpu.diagnose.nodes.refusals import Refusal, cause_of, refusal_of
from gitgpu.diagnose.nodes.runtime import ADVISORY, RULE, stopped_runtime
from gitgpu.diagnose.nodes.software import obstacle
from gitgpu.diagnose.reading.conditions import Condition, condition
from gitgpu.diagnose.reading.state import State
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.kinds import NODE, NODE_CLAIM, RESOURCE_SLICE
from gitgpu.model.names.labels import INSTANCE_TYPE_LABEL, OS_LABEL
from gitgpu.model.names.resources import AMD_GPU, NVIDIA_GPU
from gitgpu.model.sku import Sku
from gitgpu.model.symptoms import symptom_in
from gitgpu.model.syntax.quantity import amounts
from gitgpu.objects.objects import Item
from gitgpu.objects.workload.devices import is_gpu_resource

_PATIENCE = 5  # minutes; the device plugin and the driver of a new node need a few
_PLUGIN = {NVIDIA_GPU: "device-plugin", AMD_GPU: "amd-device-plugin"}
_WINDOWS = "windows"


def node_answers(
    claims: tuple[Claim, ...], refusals: tuple[Refusal, ...], state: State, region: str
) -> dict[str, Answer]:
    """The answers about nodes, by the name of the node, or of the NodeClaim while it has none."""
    by_node = {claim.node: claim for claim in claims if claim.node}
    found: dict[str, Answer] = {}
    for node in state.objects.of(*NODE):
        if reach(node.body, "metadata", "deletionTimestamp"):
            continue
        if answer := _node_answer(node, by_node.get(node.identity.name), state):
            found[node.identity.name] = answer
    for claim in claims:
        if claim.waits and not claim.deleted and claim.node not in found:
            known = claim.node or claim.name
            refusal = refusal_of(claim, state.objects.catalog) or _again(claim, refusals, state)
            found[known] = _claim_answer(claim, refusal, state, region)
    return found


def _node_answer(node: Item, claim: Claim | None, state: State) -> Answer | None:
    ready = condition(node, "Ready")
    if ready and ready.status != "True":
        return _starting(node, claim, ready, state) or _not_ready(node, claim, state)
    faults = reported_faults(node, state)
    if faults and is_cause(faults[0][1]):
        return fault_answer(node, faults, state)
    other = _gpu_answer(node, claim, state)
    if other is None:
        return fault_answer(node, faults, state) if faults else None
    return other._replace(evidence=(*other.evidence, *fault_evidence(node, faults)))


def _gpu_answer(node: Item, claim: Claim | None, state: State) -> Answer | None:
    """The answer about a node of a size with GPUs that takes no pods, or lacks GPUs."""
    labels = mapping_at(node.body, "metadata", "labels")
    sku = state.objects.catalog.sku(labels.get(INSTANCE_TYPE_LABEL, ""))
    if not sku or not sku.gpus:
        return None
    if held := pressure(node, state):
        return held
    if labels.get(OS_LABEL) == _WINDOWS:  # its GPUs are microsoft.com/directx, whose number no source states
        return None
    return _without_config(node, state) or _gpus(node, claim, sku, state)


def _starting(node: Item, claim: Claim | None, ready: Condition, state: State) -> Answer | None:
    """The answer about a node that has just joined: its network and its kubelet need a short time."""
    joined = state.minutes_since(reach(node.body, "metadata", "creationTimestamp"))
    if claim is None or claim.waits is None or joined is None or joined >= _PATIENCE or ready.status == "Unknown":
        return None
    cause = Cause(WAITING_FOR_NODE, "the node has joined, and is not Ready yet", "wait a few minutes", normal=True)
    evidence = (Evidence(f"Node {node.identity.name}", str(ready)), claim.evidence)
    return Answer(Subject(NODE.kind, "", node.identity.name), cause, evidence, (node.identity.name,), joined)


def _not_ready(node: Item, claim: Claim | None, state: State) -> Answer:
    name, ready = node.identity.name, condition(node, "Ready")
    assert ready is not None
    if ready.status == "Unknown":
        message = "the node is not Ready: its kubelet no longer reports, so the VM or its network is down"
        # articles/aks/node-auto-repair.md of MicrosoftDocs/azure-aks-docs (fb060ab, 2026-08-21); the gate is off by
        # default: pkg/operator/options/options.go of kubernetes-sigs/karpenter (2266468, 2026-08-20).
        remedy = (
            "look at the VM in Azure; AKS tries to repair nodes of its node pools after 10 minutes, and Karpenter "
            "replaces its nodes only with the feature gate NodeRepair"
        )
    else:
        message = f"the node is not Ready: {ready.reason or 'its kubelet says so'}"
        remedy = "look at the kubelet and the container runtime of the node"
    commands = (f"kubectl describe node {name}", f"kubectl get events -A --field-selector involvedObject.name={name}")
    faults = reported_faults(node, state)
    message += fault_text(faults)
    evidence = [Evidence(f"Node {name}", str(ready)), *fault_evidence(node, faults)]
    rules: tuple[str, ...] = ()
    if stopped := stopped_runtime(node, state):
        message += f"; its container toolkit may have stopped containerd ({ADVISORY})"
        remedy = f"look at the log of containerd on the node; if it says drop-in config version, {stopped.remedy}"
        evidence.append(stopped.evidence)
        rules = (ADVISORY, RULE)
    if claim and claim.waits:
        evidence.append(claim.evidence)
    cause = Cause(NODE_NOT_READY, message, remedy, commands, rules)
    return Answer(Subject(NODE.kind, "", name), cause, tuple(evidence), (name,), state.minutes_since(ready.since))


def _without_config(node: Item, state: State) -> Answer | None:
    """The answer about a node with GPUs that now selects a configuration that does not exist."""
    has = amounts(mapping_at(node.body, "status", "allocatable"))
    if not any(amount for key, amount in has.items() if is_gpu_resource(key, state.objects)):
        return None
    missing = missing_config(node, state) or missing_layout(node, state)
    if missing is None:
        return None
    cause = Cause(NODE_FAULT, f"{missing.message}; the GPUs are as before", missing.remedy, rules=missing.rules)
    name = node.identity.name
    return Answer(Subject(NODE.kind, "", name), cause, missing.evidence, (name,), None)


def _gpus(node: Item, claim: Claim | None, sku: Sku, state: State) -> Answer | None:
    """The answer about a node without the GPUs of its size, or with fewer."""
    name, has = node.identity.name, amounts(mapping_at(node.body, "status", "allocatable"))
    if "capacity" not in mapping_at(node.body, "status") or _has_slices(name, state):
        return None
    gpus = {key: amount for key, amount in has.items() if is_gpu_resource(key, state.objects)}
    total, expected = sum(gpus.values(), Decimal(0)), Decimal(sku.gpus or 0)
    capacity = amounts(mapping_at(node.body, "status", "capacity"))
    shown = ", ".join(f"{key}: {amount}" for key, amount in sorted(gpus.items())) or f"no {sku.resource}"
    evidence = [Evidence(f"Node {name}", f"allocatable has {shown}; {sku.name} has {sku.gpus}")]
    if claim and claim.waits:
        evidence.append(claim.evidence)
    if total:
        is_whole = set(gpus) == {sku.resource}  # not partitions, which have other numbers
        if not is_whole:
            return partition_answer(node, claim, gpus, sku, state)
        return _fewer_gpus(node, total, sku, tuple(evidence)) if total < expected else None
    registered = int(capacity.get(sku.resource, Decimal(0)))
    why = obstacle(node, _PLUGIN.get(sku.resource, "device-plugin"), registered, state)
    evidence += why.evidence
    since = claim.waits.since if claim and claim.waits else reach(node.body, "metadata", "creationTimestamp")
    waited = state.minutes_since(since)
    stuck = claim is not None and claim.waits is not None
    if stuck and waited is not None and waited < _PATIENCE and not why.rules:
        message = "the node has joined, and its GPUs are not registered yet"
        cause = Cause(WAITING_FOR_NODE, message, "wait a few minutes", normal=True)
        return Answer(Subject(NODE.kind, "", name), cause, tuple(evidence), (name,), waited)
    counted = "; Karpenter counts its GPUs and starts no other node" if stuck else ""
    state_of = "no GPU of the node can be used" if registered else "the node registered without its GPUs"
    message = f"{state_of}: {why.message}{counted}"
    verdict = STUCK_NODE if stuck else WITHOUT_GPUS
    cause = Cause(verdict, message, why.remedy, why.commands, why.rules)
    return Answer(Subject(NODE.kind, "", name), cause, tuple(evidence), (name,), waited)


def _fewer_gpus(node: Item, total: Decimal, sku: Sku, evidence: tuple[Evidence, ...]) -> Answer:
    """The answer about a node with fewer GPUs than its size has."""
    name, capacity = node.identity.name, amounts(mapping_at(node.body, "status", "capacity"))
    is_unhealthy = capacity.get(sku.resource, Decimal(0)) > total
    why = "the device plugin reports the others as unhealthy" if is_unhealthy else "the driver sees no more"
    message = f"the node has {total} of the {sku.gpus} GPUs of its size: {why}"
    remedy = "look for XID errors in the log of the device plugin, and replace the node if a GPU has failed"
    cause = Cause(NODE_FAULT, message, remedy, (f"kubectl describe node {name}",))
    return Answer(Subject(NODE.kind, "", name), cause, evidence, (name,), None)


def _has_slices(node: str, state: State) -> bool:
    """Whether a DRA driver publishes the devices of the node, which then are not extended resources."""
    return any(
        reach(item.body, "spec", "nodeName") == node and rows(item.body, "spec", "devices")
        for item in state.objects.of(*RESOURCE_SLICE)
    )


def _again(claim: Claim, refusals: tuple[Refusal, ...], state: State) -> Refusal | None:
    """The last refusal of the pool, if Karpenter tries again a short time after it, and Azure has not answered yet."""
    if claim.waits is None or claim.waits.type != "Launched" or claim.waits.reason:
        return None
    return next((refusal for refusal in refusals if refusal.pool == claim.pool and _is_recent(refusal, state)), None)


def _is_recent(refusal: Refusal, state: State) -> bool:
    minutes = state.minutes_since(refusal.last)
    return minutes is not None and minutes < 2 * LAUNCH_TIMEOUT


def _claim_answer(claim: Claim, refusal: Refusal | None, state: State, region: str) -> Answer:
    """The answer about a NodeClaim that waits."""
    subject, nodes = Subject(NODE_CLAIM.kind, "", claim.name), (claim.node or claim.name,)
    events = tuple(
        Evidence(f"NodeClaim {claim.name}", f"event {event.reason}: {event.message}")
        for event in state.events_of(claim.item)[:2]
    )
    if refusal:
        evidence = tuple(dict.fromkeys((claim.evidence, refusal.evidence, *events)))
        return Answer(subject, cause_of(refusal, region, state.objects.catalog), evidence, nodes, claim.minutes)
    return Answer(subject, _cause(claim, state.objects.catalog), (claim.evidence, *events), nodes, claim.minutes)


def _cause(claim: Claim, catalog: Catalog) -> Cause:
    waits = claim.waits
    assert waits is not None
    describe = f"kubectl describe nodeclaim {claim.name}"
    if waits.type == "Launched":
        if waits.message and waits.reason not in ("", "AwaitingReconciliation"):
            return Cause(
                STUCK_NODE,
                f"Azure does not create the VM: {waits.reason}",
                "correct what the message says",
                (describe,),
            )
        late = claim.minutes is not None and claim.minutes >= LAUNCH_TIMEOUT
        message = f"Azure creates the VM; Karpenter tries another one after {LAUNCH_TIMEOUT} minutes"
        return Cause(WAITING_FOR_NODE, message, "wait", (describe,), normal=not late)
    if waits.type == "Registered":
        late = claim.minutes is not None and claim.minutes >= _PATIENCE * 2
        message = (
            f"the VM exists and its kubelet has not joined; Karpenter deletes it after {REGISTRATION_TIMEOUT} minutes"
        )
        remedy = "wait" if not late else "check the network to the API server, and the installation of the driver"
        return Cause(STUCK_NODE if late else WAITING_FOR_NODE, message, remedy, (describe,), normal=not late)
    known = symptom_in(waits.message, ("nodes", "pods", "driver"), catalog)
    late = claim.minutes is not None and claim.minutes >= _PATIENCE
    detail = (
        f"{waits.reason}: {clause(known.cause)}" if known else waits.message or waits.reason or "no reason is given"
    )
    message = f"the node has joined and is not initialized: {detail.rstrip('.')}"
    remedy = known.remedy if known else "correct what the message says"
    rules = known.rules if known else ()
    return Cause(STUCK_NODE if late else WAITING_FOR_NODE, message, remedy, (describe,), rules, normal=not late)
