"""A PodDisruptionBudget that lets no GPU pod go."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.objects import Item, Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import TARGET, autoscalers, scaled_objects, target
from gitgpu.conform.workload.node_constraints import requested_devices
from gitgpu.conform.workload.pods import Pod, pods
from gitgpu.diagnostic import Severity
from gitgpu.schedule.requirement import ABSENT, requirement

BAD = """
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: chat, namespace: serving}
spec:
  minAvailable: 2
  selector: {matchLabels: {app: chat}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec:
  replicas: 2
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers:
      - name: main
        resources: {limits: {nvidia.com/gpu: 1}}
"""
_KINDS = ("Deployment", "ReplicaSet", "StatefulSet")


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of("policy", "PodDisruptionBudget"):
        spec: Mapping[str, Any] = reach(item.body, "spec") or {}
        for pod in pods(objects) if spec else ():
            if _covers(item, pod) and _uses_gpus(pod):
                replicas, how = _replicas(pod, objects)
                field = _blocks(spec, replicas)
                if field:
                    name = f"{pod.item.identity.kind} {pod.item.identity.name}"
                    message = f"{field}: {spec[field]} lets no pod of {name} go while it has {how}"
                    remedy = (
                        f"write maxUnavailable: 1 in place of {field}"
                        if replicas > 1
                        else f"run two replicas, and write maxUnavailable: 1 in place of {field}"
                    )
                    yield Finding(item, ("spec", field), message, remedy)


def _covers(item: Item, pod: Pod) -> bool:
    selector = reach(item.body, "spec", "selector")
    if pod.item.identity.kind not in _KINDS or item.identity.namespace != pod.item.identity.namespace or not selector:
        return False
    terms = [requirement(key, "In", [value]) for key, value in (selector.get("matchLabels") or {}).items()]
    written = selector.get("matchExpressions") or ()
    terms += [requirement(one["key"], one["operator"], one.get("values") or ()) for one in written if one]
    return all(one.takes(pod.labels[one.key]) if one.key in pod.labels else one.operator in ABSENT for one in terms)


def _uses_gpus(pod: Pod) -> bool:
    return bool(requested_devices(pod) or pod.spec.get("resourceClaims"))


def _replicas(pod: Pod, objects: Objects) -> tuple[int, str]:
    """The fewest replicas that there are while there are any, and how that is said; 0 when it is not known."""
    one = pod.item.identity
    patched = one.name in objects.patched(one.group, one.kind)
    wanted = (one.group, one.kind, one.namespace, one.name)
    for field, scalers in (("minReplicas", autoscalers(objects)), ("minReplicaCount", scaled_objects(objects))):
        for item in scalers:
            if reach(item.body, *TARGET) and target(item) == wanted:
                fewest = max(reach(item.body, "spec", field) or 0, 1)
                return fewest, f"the fewest replicas that {item.identity.kind} {item.identity.name} leaves, {fewest}"
    written = reach(pod.item.body, "spec", "replicas")
    known = 1 if written is None else written
    return (0, "") if patched or (written is None and not objects.closed) else (known, f"{known} replicas")


def _blocks(spec: Mapping[str, Any], replicas: int) -> str:
    """The field that lets none of so many pods go; empty when some may."""
    if replicas < 1:
        return ""
    most, least = _count(spec.get("maxUnavailable"), replicas), _count(spec.get("minAvailable"), replicas)
    if most == 0:
        return "maxUnavailable"
    return "minAvailable" if least is not None and least >= replicas else ""


def _count(written: Any, replicas: int) -> int | None:
    """A number of pods, or a percentage of them, which Kubernetes rounds up; None for anything else."""
    text = str(written)
    number = text.removesuffix("%")
    if isinstance(written, bool) or not (number.isascii() and number.isdigit()):
        return None
    return -(-int(number) * replicas // 100) if text.endswith("%") else int(number)


RULE = Rule(
    code="POD017",
    name="blocking-disruption-budget",
    severity=Severity.WARNING,
    summary="A PodDisruptionBudget allows no disruption of GPU pods.",
    help="Karpenter then never consolidates their nodes, and replaces drifted ones only where the NodePool has a "
    "terminationGracePeriod: without it, new images and new versions of Kubernetes do not arrive. An expired "
    "node drains until its terminationGracePeriod ends, or forever without one, and an upgrade of an AKS "
    "node pool fails.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/disruption/types.go",
        "https://kubernetes.io/docs/tasks/run-application/configure-pdb/",
        "https://karpenter.sh/docs/concepts/disruption/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/error-code-poddrainfailure",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("minAvailable: 2", "maxUnavailable: 1"),
)
