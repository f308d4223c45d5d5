"""What decides about a pod, and is not simulated: fields of the pod and its owner, and objects that change pods.

Each is a fact that Karpenter, kube-scheduler or an admission plugin reads. A pod with one of them may be placed
differently than in the simulation, or not at all.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.model.names.kinds import NAMESPACE, RUNTIME_CLASS
from gitgpu.objects.objects import Identity, Item, Objects
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.autoscalers import scaled_objects, target
from gitgpu.objects.workload.gangs import unknown_group
from gitgpu.objects.workload.known_kinds import WORKLOADS
from gitgpu.objects.workload.pod_templates import pod_templates
from gitgpu.objects.workload.pods import Pod
from gitgpu.objects.workload.queues import suspension_place
from gitgpu.objects.workload.resource_claims import claims
from gitgpu.objects.workload.unread_pods import is_unknown
from gitgpu.simulate.autoscaled import hpas
from gitgpu.simulate.forecast import Doubt
from gitgpu.simulate.pod.affinity import terms
from gitgpu.simulate.pod.namespaces import selected_namespaces
from gitgpu.simulate.pod.templates import unread_scaling
from gitgpu.simulate.queue.admission import admissions
from gitgpu.simulate.queue.resource_quotas import counts_claims, excess_of
from gitgpu.spelling import join_names

# The RuntimeClass of the GPU Operator has no overhead and no node selector:
# assets/pre-requisites/0200_runtime_class.yaml and the next two of NVIDIA/gpu-operator at a22dbf671f2e.
_PLAIN_CLASSES = frozenset({"nvidia", "nvidia-cdi", "nvidia-legacy"})
_BOUNDS = ("max", "min", "maxLimitRequestRatio")


def of_unread(pod: Pod, objects: Objects) -> Iterator[Doubt]:
    """Doubts about a pod because of what the simulation does not read."""
    yield from _spec_doubts(pod, objects)
    yield from _owner_doubts(pod, objects)
    yield from _namespace_doubts(pod, objects)
    yield from _status_doubts(pod)


def _spec_doubts(pod: Pod, objects: Objects) -> Iterator[Doubt]:
    gates = [str(gate.get("name")) for gate in pod.spec.get("schedulingGates") or () if gate]
    if gates:
        yield Doubt("queue", f"the pod is not scheduled until something removes its gate {join_names(gates)}")
    if group := unknown_group(pod, objects):
        yield Doubt("model", f"{group}, with which it is scheduled, is not in the input")
    name = pod.spec.get("runtimeClassName")
    if name and name not in _PLAIN_CLASSES and not objects.by_name(*RUNTIME_CLASS, name):
        yield Doubt("model", f"the overhead and node selector of the RuntimeClass {name} are not in the input")
    if reach(pod.spec, "os", "name") not in (None, "linux"):
        yield Doubt("model", f"the pod is for {pod.spec['os']['name']}, which is not simulated")
    for term in terms(pod):
        if unknown := selected_namespaces(term, pod, objects).unknown:
            names = join_names([name or "of pods without one" for name in unknown])
            yield Doubt("model", f"the labels of the namespace {names} are not in the input, and a selector reads them")


def _owner_doubts(pod: Pod, objects: Objects) -> Iterator[Doubt]:
    """What keeps a workload from creating its pods, or creates more of them."""
    item = pod.item
    spec, kind = mapping_at(item.body, "spec"), item.identity.kind
    if reach(item.body, "metadata", "deletionTimestamp"):
        yield Doubt("model", f"the {kind} is being deleted")
    is_queued = id(item.body) in admissions(objects).outcomes  # Kueue releases what it admits
    if (place := suspension_place(item)) and not is_queued:
        ends = "is false" if place[0] == "spec" else "is removed"
        yield Doubt("queue", f"the {kind} is suspended: it creates no pods until {place[-1]} {ends}")
    if kind == "Deployment" and spec.get("paused") is True:
        yield Doubt("model", "the Deployment is paused: it does not create pods for a new template")
    if not pod.counted().bounded:
        yield Doubt("model", f"the {kind} sets no maximum: there may be more pods")
    if is_unknown(item):
        what = f"where this {kind} has its pods" if item.identity[:2] in WORKLOADS else f"the kind {kind}"
        yield Doubt("model", f"gitgpu does not know {what}, and counts its pods by its replicas")
    if key := unread_scaling(item):
        yield Doubt("model", f"{key} of a {kind} is not read, and changes how many pods there are")
        return
    every = (*hpas(objects), *scaled_objects(objects))
    scalers = [scaler.identity for scaler in every if Identity(*target(scaler)) == item.identity]
    names = join_names([f"{scaler.kind} {scaler.name}" for scaler in scalers])
    if item.scope is Scope.UNKNOWN and scalers and not pod_templates(item):
        yield Doubt("model", f"{names} scales it, but its own replicas were simulated")
    elif len(scalers) > 1:
        yield Doubt("model", f"{names} scale it: the admission webhook of KEDA rejects one, or neither has an effect")


def _namespace_doubts(pod: Pod, objects: Objects) -> Iterator[Doubt]:
    """Objects of the namespace with which admission changes or rejects pods."""
    identity = pod.item.identity
    for item in objects.by_name(*NAMESPACE, identity.namespace):
        if reach(item.body, "metadata", "deletionTimestamp"):
            yield Doubt("model", f"the namespace {identity.namespace} is being deleted")
    for kind, changes in (("LimitRange", _limits), ("ResourceQuota", _quota)):
        for item in objects.of("", kind):
            if item.identity.namespace == identity.namespace and changes(item, pod):
                excess = excess_of(item, objects)
                effect = f"{excess}: Kubernetes refuses the last pods" if excess else "may change or reject the pod"
                yield Doubt("model", f"the {kind} {item.identity.name} {effect}")
    for item in objects.of("autoscaling.k8s.io", "VerticalPodAutoscaler"):
        reference = mapping_at(item.body, "spec", "targetRef")
        same = (str(reference.get("kind")), item.identity.namespace, str(reference.get("name"))) == identity[1:]
        if same and reach(item.body, "spec", "updatePolicy", "updateMode") != "Off":
            yield Doubt("model", f"the VerticalPodAutoscaler {item.identity.name} changes the requests of the pod")


def _limits(item: Item, pod: Pod) -> bool:
    """Whether a LimitRange sets requests that a container lacks, or has bounds for containers or pods."""
    for entry in filter(None, reach(item.body, "spec", "limits") or ()):
        if entry.get("type") not in ("Container", "Pod"):
            continue
        defaults = {**mapping_at(entry, "default"), **mapping_at(entry, "defaultRequest")}
        lacking = any(_lacks(container, defaults) for _, container in pod.containers())
        if lacking or any(entry.get(key) for key in _BOUNDS):
            return True
    return False


def _lacks(container: Mapping[str, Any], defaults: Mapping[str, Any]) -> bool:
    requests, limits = (mapping_at(container, "resources", kind) for kind in ("requests", "limits"))
    return any(name not in requests and name not in limits for name in defaults)


def _quota(item: Item, pod: Pod) -> bool:
    """Whether a ResourceQuota limits what the pod uses: requests, limits, claims, or the number of pods."""
    hard = [str(key) for key in reach(item.body, "spec", "hard") or ()]
    if claims(pod) and any(map(counts_claims, hard)):
        return True
    limited = {key.removeprefix("requests.").removeprefix("limits.") for key in hard}
    return not limited.isdisjoint({*pod.requests(), "pods", "count/pods"})


def _status_doubts(pod: Pod) -> Iterator[Doubt]:
    """What the status of a pending pod says about its scheduling."""
    status = mapping_at(pod.item.body, "status") if pod.item.identity.kind == "Pod" else {}
    if status.get("nominatedNodeName"):
        yield Doubt(
            "model", f"the pod waits for preemption on {status['nominatedNodeName']}: Karpenter does not start a node"
        )
    for condition in filter(None, status.get("conditions") or ()):
        reason = condition.get("reason")
        waits = condition.get("type") == "PodScheduled" and condition.get("status") == "False"
        if waits and reason not in (None, "Unschedulable", "SchedulingGated"):
            yield Doubt("model", f"Karpenter starts nodes for pods with the reason Unschedulable, not {reason}")
