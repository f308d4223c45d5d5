"""A toleration that almost matches the taint of AKS spot nodes."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.model.spec.taint import SPOT
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.taint import untolerated_taints

_MEANT = ("", "true", SPOT.value)  # values that show that spot nodes are meant


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        if not untolerated_taints([SPOT._asdict()], [toleration for toleration in pod.tolerations if toleration]):
            continue  # another toleration matches
        for index, toleration in enumerate(pod.tolerations):
            part = _differing_part(toleration or {})
            if part:
                message = f"the toleration does not match the taint of spot nodes, {SPOT.text}"
                wrong = [part, *_other_parts(toleration or {}, part)]
                remedy = f"set {' and '.join(f'{name}: {getattr(SPOT, name)}' for name in wrong)}"
                place = (*pod.pointer, "tolerations", index)
                yield Finding(pod.item, (*place, part) if part in (toleration or {}) else place, message, remedy)


def _differing_part(toleration: Mapping[str, Any]) -> str:
    """The part of a toleration that differs from the taint of spot nodes; "" for another taint."""
    key, value = str(toleration.get("key") or ""), str(toleration.get("value") or "")
    if key.lower() != SPOT.key:
        return ""
    if key != SPOT.key:
        return "key"
    if toleration.get("operator") != "Exists" and value != SPOT.value:
        return "value" if value.lower() in _MEANT else ""
    return "effect"


def _other_parts(toleration: Mapping[str, Any], found: str) -> Iterator[str]:
    """The other parts that also keep the toleration from matching the taint."""
    if found == "key" and toleration.get("operator") != "Exists" and toleration.get("value") != SPOT.value:
        yield "value"
    if found != "effect" and toleration.get("effect") not in (None, "", SPOT.effect):
        yield "effect"


RULE = Rule(
    code="POD038",
    name="misspelt-spot-toleration",
    severity=Severity.WARNING,
    summary="A toleration is meant for the taint of AKS spot nodes but does not match it.",
    help="AKS adds this taint to the nodes of spot pools. Kubernetes compares the key, value and effect of a "
    "toleration exactly, so a pod whose toleration does not match never runs there.",
    sources=(
        "https://github.com/Azure/AKS/issues/3153",
        "https://learn.microsoft.com/azure/aks/spot-node-pool",
    ),
    check=_check,
)
