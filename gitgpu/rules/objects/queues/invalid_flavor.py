"""A ResourceFlavor that the API server or Kueue's webhook refuses."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.flavors import Flavor, flavors
from gitgpu.rules.object_rule import Finding, Rule

_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_OPERATORS = ("Equal", "Exists")


def _check(objects: Objects) -> Iterator[Finding]:
    for flavor in flavors(objects).values():
        yield from _taints(flavor)
        for index, toleration in enumerate(flavor.tolerations):
            for key, message, remedy in _toleration(toleration):
                yield Finding(flavor.item, ("spec", "tolerations", index, *key), message, remedy)
        if flavor.topology and not flavor.labels:
            message = "a flavor with a topology needs nodeLabels, which say which nodes it has"
            yield Finding(flavor.item, ("spec", "topologyName"), message, "set nodeLabels, or remove topologyName")


def _taints(flavor: Flavor) -> Iterator[Finding]:
    seen = set()
    for index, taint in enumerate(flavor.taints):
        key, effect = str(taint.get("key")), str(taint.get("effect"))
        if effect not in _EFFECTS:
            message = f"'{effect}' is not an effect of a taint"
            yield Finding(flavor.item, ("spec", "nodeTaints", index, "effect"), message, f"use {', '.join(_EFFECTS)}")
        elif (key, effect) in seen:
            message = f"there is another taint with key {key} and effect {effect}"
            yield Finding(flavor.item, ("spec", "nodeTaints", index), message, "remove one of them")
        seen.add((key, effect))


def _toleration(toleration: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    operator, effect = toleration.get("operator"), toleration.get("effect")
    if operator and operator not in _OPERATORS:
        yield ("operator",), f"'{operator}' is not an operator of a toleration here", "use Equal or Exists"
    elif "key" not in toleration and operator != "Exists":
        yield (), "a toleration without key needs operator: Exists", "set key, or operator: Exists"
    elif operator == "Exists" and "value" in toleration:
        yield ("value",), "a toleration with operator Exists must not have a value", "remove value, or use Equal"
    if effect and effect not in _EFFECTS:
        yield ("effect",), f"'{effect}' is not an effect of a taint", f"use {', '.join(_EFFECTS)}"
    elif "tolerationSeconds" in toleration and effect != "NoExecute":
        message = "tolerationSeconds needs effect: NoExecute"
        yield ("tolerationSeconds",), message, "remove it, or set effect: NoExecute"


RULE = Rule(
    code="QUE019",
    name="invalid-flavor",
    severity=Severity.ERROR,
    rejects=True,
    summary="A taint, a toleration or the topology of a ResourceFlavor is invalid.",
    help="Kueue's admission webhook rejects taints and tolerations that nodes and pods cannot have, two taints with "
    "the same key and effect, and a topology without nodeLabels.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/webhooks/resourceflavor_webhook.go",
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/apis/kueue/v1beta2/resourceflavor_types.go",
    ),
    check=_check,
)
