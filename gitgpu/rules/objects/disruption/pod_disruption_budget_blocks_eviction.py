"""A PodDisruptionBudget that does not allow evicting any GPU pod."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import POD_DISRUPTION_BUDGET
from gitgpu.model.syntax.requirement import ABSENT, Requirement, requirement
from gitgpu.model.syntax.whole_number import whole_number
from gitgpu.objects.indexes import freeze
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import TARGET, autoscalers, scaled_objects, target
from gitgpu.objects.workload.node_constraints import requested_devices
from gitgpu.objects.workload.pods import Pod, labelled_pods
from gitgpu.rules.object_rule import Finding, Rule

_OPERATORS = ("DoesNotExist", "Exists", "In", "NotIn")
_MOST = 10  # workloads that are reported one by one; a budget that covers more is reported once
_KINDS = ("Deployment", "ReplicaSet", "StatefulSet")  # Kubernetes counts their replicas for a budget


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*POD_DISRUPTION_BUDGET):
        spec = reach(item.body, "spec")
        if spec:
            yield from _blocked(item, spec, objects)


def _blocked(item: Item, spec: Mapping[str, Any], objects: Objects) -> Iterator[Finding]:
    key = ("blocked by a budget", item.identity.namespace, freeze(spec))  # many budgets can be equal
    field, blocked = objects.once(key, lambda: _effect(item, spec, objects))
    shown = blocked if len(blocked) <= _MOST else blocked[:1]
    for pod, number, how in shown:
        name = f"{pod.item.identity.kind} {pod.item.identity.name}"
        message = f"{field}: {spec[field]} blocks eviction of all pods of {name} when it has {how}"
        if len(shown) < len(blocked):
            message += f", and of {len(blocked) - 1} other workloads"
        remedy = "set maxUnavailable: 1" + (f" in place of {field}" if field == "minAvailable" else "")
        if number == 1:
            remedy = f"run two replicas, and {remedy}"
        yield Finding(item, ("spec", field), message, remedy)


def _effect(item: Item, spec: Mapping[str, Any], objects: Objects) -> tuple[str, list[tuple[Pod, int, str]]]:
    """The field that blocks evictions, and the GPU workloads that it blocks, with their replicas."""
    candidates = labelled_pods(objects).having(reach(spec, "selector", "matchLabels") or {})
    matching_pods = [pod for pod in candidates if _covers(item, pod)]
    covered_pods = [pod for pod in matching_pods if pod.item.identity.kind in _KINDS]
    others = {pod.item.identity.kind for pod in matching_pods} - {*_KINDS}
    # Another running pod can make up for one that is evicted. But a share of the pods needs the scale of each of their
    # controllers: a budget that also covers a Job fails, and allows no eviction (getExpectedScale).
    if "Pod" in others or (others and isinstance(spec.get("minAvailable"), int)):
        return "", []
    replicas = [_replicas(pod, objects) for pod in covered_pods]
    field = _blocking_field(spec, [number for number, _ in replicas])
    counted = zip(covered_pods, replicas, strict=True)
    return field, [(pod, number, how) for pod, (number, how) in counted if field and _uses_gpus(pod)]


def _covers(item: Item, pod: Pod) -> bool:
    selector = reach(item.body, "spec", "selector")
    # {} covers every pod of the namespace, and their number is unknown here.
    if item.identity.namespace != pod.item.identity.namespace or not selector:
        return False
    terms = [requirement(key, "In", [value]) for key, value in (selector.get("matchLabels") or {}).items()]
    for term in filter(None, selector.get("matchExpressions") or ()):
        if term["operator"] not in _OPERATORS:
            return False  # the API server rejects the budget
        terms.append(requirement(term["key"], term["operator"], term.get("values") or ()))
    return all(_matches(term, pod.labels) for term in terms)


def _matches(term: Requirement, labels: Mapping[str, str]) -> bool:
    return term.takes(labels[term.key]) if term.key in labels else term.operator in ABSENT


def _uses_gpus(pod: Pod) -> bool:
    return bool(requested_devices(pod) or pod.spec.get("resourceClaims"))


def _replicas(pod: Pod, objects: Objects) -> tuple[int, str]:
    """The fewest replicas above zero, and where that number comes from; 0 if it is unknown."""
    owner = pod.item.identity
    patched = owner.name in objects.patched_names(owner.group, owner.kind)
    workload = (owner.group, owner.kind, owner.namespace, owner.name)
    for field, scalers in objects.once("scalers by target", lambda: _scalers(objects)):
        item = scalers.get(workload)
        if item:
            fewest = max(reach(item.body, "spec", field) or 0, 1)
            return fewest, f"{_counted(fewest)}, the minimum of {item.identity.kind} {item.identity.name}"
    written = reach(pod.item.body, "spec", "replicas")
    # A patch, or a scaler in other files, may set the number.
    if patched or (written is None and not objects.closed):
        return 0, ""
    replicas = 1 if written is None else written
    return replicas, _counted(replicas)


def _scalers(objects: Objects) -> list[tuple[str, dict[tuple[str, ...], Item]]]:
    """The fields that set the fewest replicas, each with the scalers that have it."""
    return [
        ("minReplicas", _by_target(autoscalers(objects))),
        ("minReplicaCount", _by_target(scaled_objects(objects))),
    ]


def _by_target(scalers: Iterable[Item]) -> dict[tuple[str, ...], Item]:
    """The first scaler of each target."""
    by_target: dict[tuple[str, ...], Item] = {}
    for item in scalers:
        if reach(item.body, *TARGET):
            by_target.setdefault(target(item), item)
    return by_target


def _counted(replicas: int) -> str:
    return f"{replicas} replica" if replicas == 1 else f"{replicas} replicas"


def _blocking_field(spec: Mapping[str, Any], replicas: Sequence[int]) -> str:
    """The field that blocks the eviction of all pods of these workloads; empty if some can be evicted."""
    if 0 in replicas:  # unknown, or started later by something else
        return ""
    total = sum(replicas)  # the budget counts the pods of all workloads that it covers
    maximum, minimum = _count(spec.get("maxUnavailable"), total), _count(spec.get("minAvailable"), total)
    if maximum == 0:
        return "maxUnavailable"
    return "minAvailable" if minimum is not None and minimum >= total else ""


def _count(written: Any, replicas: int) -> int | None:
    """A number of pods, or a percentage of them rounded up as Kubernetes does; None for anything else."""
    text = str(written)
    number = whole_number(text.removesuffix("%"))
    if number is None or not text.endswith("%"):
        return number
    return -(-number * replicas // 100)


RULE = Rule(
    code="POD017",
    name="pod-disruption-budget-blocks-eviction",
    severity=Severity.WARNING,
    summary="A PodDisruptionBudget blocks the eviction of all GPU pods of a workload.",
    help="Karpenter then never consolidates their nodes, and replaces drifted nodes only if the NodePool has a "
    "terminationGracePeriod: without it, nodes never get new images and Kubernetes versions. An expired node drains "
    "until its terminationGracePeriod ends, or indefinitely without one, and an upgrade of an AKS node pool fails.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/disruption/types.go",
        "https://kubernetes.io/docs/tasks/run-application/configure-pdb/",
        "https://karpenter.sh/docs/concepts/disruption/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/error-code-poddrainfailure",
    ),
    check=_check,
)
