"""A KEDA annotation on the workload, where KEDA does not read it."""

from collections.abc import Iterator
from itertools import chain, product

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import PAUSED_REPLICAS_ANNOTATION
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import scaled_objects, target
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_KINDS = ("Deployment", "StatefulSet")
# Of a workload; the first is also where KEDA reads it on a ScaledObject.
_PLACES: tuple[Pointer, ...] = (("metadata", "annotations"), ("spec", "template", "metadata", "annotations"))


def _check(objects: Objects) -> Iterator[Finding]:
    keys = (*objects.catalog.must("triggers", "keda")["paused"], PAUSED_REPLICAS_ANNOTATION)
    read: set[tuple[tuple[str, ...], str]] = set()  # the identities of workloads with the keys that KEDA reads
    for scaled_object in scaled_objects(objects):
        read.update(product([target(scaled_object)[:4]], _notes(scaled_object.body, _PLACES[0])))
    workloads = chain.from_iterable(objects.of("apps", kind) for kind in _KINDS)
    for item, place, key in product(workloads, _PLACES, keys):
        if key in _notes(item.body, place) and (item.identity, key) not in read:
            message = f"KEDA does not read {key} on a {item.identity.kind}"
            remedy = "move it to the ScaledObject that scales this workload"
            yield Finding(item, (*place, key), message, remedy, at_key=True)


def _notes(body: object, place: Pointer) -> dict[str, str]:
    return reach(body, *place) or {}


RULE = Rule(
    code="KED033",
    name="pause-annotation-not-on-scaled-object",
    severity=Severity.WARNING,
    summary="An annotation that pauses KEDA is on a Deployment or StatefulSet instead of the ScaledObject.",
    help="KEDA reads this annotation only on the ScaledObject, so it continues to scale the workload.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_types.go",
        "https://github.com/kube-green/kube-green/pull/342",
    ),
    facts=("triggers/keda",),
    check=_check,
)
