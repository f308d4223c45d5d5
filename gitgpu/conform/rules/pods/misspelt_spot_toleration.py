"""A toleration that is almost the one of AKS's spot nodes."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.pods import pods
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import SPOT
from gitgpu.schedule.taint import untolerated

_MEANT = ("", "true", SPOT.value)  # what people write who mean spot nodes


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        if not untolerated([SPOT._asdict()], [one for one in pod.tolerations if one]):
            continue
        for at, one in enumerate(pod.tolerations):
            part = _fault(one or {})
            if part:
                message = f"this is not the taint of spot nodes: {SPOT.key}={SPOT.value}:{SPOT.effect}"
                remedy = f"write {getattr(SPOT, part)}"
                place = (*pod.pointer, "tolerations", at)
                yield Finding(pod.item, (*place, part) if part in (one or {}) else place, message, remedy)


def _fault(one: Mapping[str, Any]) -> str:
    """The part of a toleration in which it misses the taint that its key is of."""
    key, value = str(one.get("key") or ""), str(one.get("value") or "")
    if key.lower() != SPOT.key:
        return ""
    if key != SPOT.key:
        return "key"
    if one.get("operator") != "Exists" and value != SPOT.value:
        return "value" if value.lower() in _MEANT else ""
    return "effect"


RULE = Rule(
    code="POD038",
    name="misspelt-spot-toleration",
    severity=Severity.WARNING,
    summary="A toleration names the taint of AKS's spot nodes and does not match it.",
    help="AKS gives the nodes of spot pools this one taint. Key, value and effect of a toleration are compared letter "
    "by letter, and a pod that misses it never runs there.",
    sources=(
        "https://github.com/Azure/AKS/issues/3153",
        "https://learn.microsoft.com/azure/aks/spot-node-pool",
    ),
    check=_check,
    bad="""
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  tolerations: [{key: kubernetes.azure.com/scalesetpriority, operator: Equal, value: Spot, effect: NoSchedule}]
  containers: [{name: main, image: "registry.contoso.com/trainer:1.4.0"}]
""",
    good="""
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  tolerations: [{key: kubernetes.azure.com/scalesetpriority, operator: Equal, value: spot, effect: NoSchedule}]
  containers: [{name: main, image: "registry.contoso.com/trainer:1.4.0"}]
""",
)
