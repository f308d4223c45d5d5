"""What pods require of nodes, with places: labels, devices, and the taints that they tolerate."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.model.names.kinds import NAMESPACE, RUNTIME_CLASS
from gitgpu.model.syntax.requirement import ABSENT, OLD_NAMES
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import REQUIRED, Pod
from gitgpu.objects.workload.queues import may_be_queued
from gitgpu.source import Pointer

ANYTHING: Mapping[str, Any] = {"operator": "Exists"}
# The annotation that the PodTolerationRestriction admission plugin reads.
_NAMESPACE_DEFAULTS = "scheduler.alpha.kubernetes.io/defaultTolerations"


class RequiredLabel(NamedTuple):
    """A label that the node must have: the place, the current name of the key, and each value with its place.

    `term` is the index of its node selector term, None in the nodeSelector.
    """

    pointer: Pointer
    key: str
    operator: str
    values: tuple[tuple[Pointer, str], ...]
    term: int | None = None

    @property
    def place(self) -> Pointer:
        """The most precise place: the value if there is only one."""
        return self.values[0][0] if len(self.values) == 1 else self.pointer

    @property
    def is_positive(self) -> bool:
        """Whether the node must have the label."""
        return self.operator not in ABSENT


def required_labels(pod: Pod) -> Iterator[RequiredLabel]:
    """Every label that nodeSelector and required node affinity require; preferences are omitted."""
    for key, value in (pod.spec.get("nodeSelector") or {}).items():
        place: Pointer = (*pod.pointer, "nodeSelector", key)
        yield RequiredLabel(place, OLD_NAMES.get(key, key), "In", ((place, str(value)),))
    for term, written in enumerate(reach(pod.spec, *REQUIRED) or ()):
        for index, expression in enumerate((written or {}).get("matchExpressions") or ()):
            if not expression:
                continue
            place = (*pod.pointer, *REQUIRED, term, "matchExpressions", index)
            key = str(expression.get("key") or "")
            values = tuple(
                ((*place, "values", to), str(value)) for to, value in enumerate(expression.get("values") or ())
            )
            yield RequiredLabel(place, OLD_NAMES.get(key, key), str(expression.get("operator") or ""), values, term)


def is_readable(pod: Pod) -> bool:
    """Whether the terms of the pod contain all that it requires of nodes."""
    written = reach(pod.spec, *REQUIRED)
    plain = len(written) if written else 1
    return len(pod.terms()) == plain


def requested_devices(pod: Pod) -> dict[str, Decimal]:
    """The extended resources that the pod requests, with amounts above 0."""
    return {name: amount for name, amount in pod.requests().items() if "/" in name and amount > 0}


def request_place(pod: Pod, name: str) -> Pointer:
    """Where the pod first requests a resource; the place of its spec if it does not."""
    for place, container in pod.containers():
        for kind in ("requests", "limits"):
            if name in (reach(container, "resources", kind) or {}):
                return (*place, "resources", kind, name)
    return pod.pointer


def tolerations_of(pod: Pod, objects: Objects) -> list[Mapping[str, Any]]:
    """The tolerations of the pod, including those that the API server adds."""
    facts = objects.catalog.must("placement", "aks")
    # A queue, or the defaults of the namespace, may add any toleration.
    if may_be_queued(pod) or _has_defaults(pod, objects):
        return [ANYTHING]
    effect = facts["toleratedEffect"]
    added = [{"key": name, "operator": "Exists", "effect": effect} for name in requested_devices(pod)]
    return [toleration for toleration in (*pod.tolerations, *added, *_class_tolerations(pod, objects)) if toleration]


def _has_defaults(pod: Pod, objects: Objects) -> bool:
    spaces = objects.by_name(*NAMESPACE, pod.item.identity.namespace)
    return any(_NAMESPACE_DEFAULTS in (reach(space.body, "metadata", "annotations") or {}) for space in spaces)


def _class_tolerations(pod: Pod, objects: Objects) -> list[Mapping[str, Any]]:
    name = pod.spec.get("runtimeClassName")
    if not name:
        return []
    tolerations: list[Mapping[str, Any]] = []
    for runtime_class in objects.by_name(*RUNTIME_CLASS, name):
        tolerations += reach(runtime_class.body, "scheduling", "tolerations") or ()
    return tolerations
