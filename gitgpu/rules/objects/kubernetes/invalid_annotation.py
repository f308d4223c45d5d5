"""An annotation key that the API server rejects, or annotations that are too large, on an object or its template."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.syntax import is_qualified_name
from gitgpu.objects.workload.pod_templates import metadata_places
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

MAX_BYTES = 256 * 1024  # bytes of all keys and values together


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.items:
        for place in _places(item):
            yield from _annotation_findings(item, place, mapping_at(item.body, *place))


def _places(item: Item) -> Iterator[Pointer]:
    """The places of annotations: in the object, and in its template for pods or NodeClaims."""
    yield "metadata", "annotations"
    yield from metadata_places(item, "annotations")
    if (item.identity.group, item.identity.kind) == NODE_POOL:
        yield "spec", "template", "metadata", "annotations"


def _annotation_findings(item: Item, place: Pointer, annotations: Mapping[str, Any]) -> Iterator[Finding]:
    for key in annotations:
        # The API server validates the key in lowercase, so an uppercase DNS prefix is valid.
        if not is_qualified_name(key.lower()):
            remedy = "use letters, digits, '-', '_' and '.', at most 63, after an optional DNS prefix and '/'"
            yield Finding(item, (*place, key), f"'{key}' is not a valid annotation key", remedy)
    if sum(len(f"{key}{value or ''}".encode()) for key, value in annotations.items()) > MAX_BYTES:
        yield Finding(item, place, "the annotations are larger than 256 KiB", "move the data to a ConfigMap")


RULE = Rule(
    code="CNF005",
    name="invalid-annotation",
    severity=Severity.ERROR,
    rejects=True,
    summary="An annotation key is not valid, or all annotations of an object together are too large.",
    help="Annotation keys follow the syntax of label keys. The API server rejects other keys, and more than 256 "
    "KiB of annotations for an object.",
    sources=(
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/#syntax-and-character-set",
        "https://github.com/kubernetes/kubernetes/blob/9349688d40f14e5b6814ae6daecd386a3f6fe7b4/staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go",
    ),
    check=_check,
)
