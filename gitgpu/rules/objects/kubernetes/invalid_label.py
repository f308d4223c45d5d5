"""A label that the API server rejects, on an object, in its pod template or on the nodes of a NodePool."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.syntax import is_label_value, is_qualified_name
from gitgpu.objects.workload.pod_templates import metadata_places
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.items:
        for place, key, value in _labels(item):
            if not is_qualified_name(key):
                remedy = "use letters, digits, '-', '_' and '.', at most 63, after an optional DNS prefix and '/'"
                yield Finding(item, place, f"'{key}' is not a valid label key", remedy)
            elif isinstance(value, str) and not is_label_value(value):  # null is an empty value
                remedy = "use at most 63 letters, digits, '-', '_' and '.', starting and ending with a letter or digit"
                yield Finding(item, place, f"'{value}' is not a valid label value", remedy)


def _labels(item: Item) -> Iterator[tuple[Pointer, str, Any]]:
    for place, labels in _label_maps(item):
        for key, value in labels.items():
            yield (*place, key), key, value


def _label_maps(item: Item) -> Iterator[tuple[Pointer, Mapping[str, Any]]]:
    places: list[Pointer] = [("metadata", "labels")]
    places += metadata_places(item, "labels")
    if (item.identity.group, item.identity.kind) == NODE_POOL:
        places.append(("spec", "template", "metadata", "labels"))
    for place in places:
        yield place, mapping_at(item.body, *place)


RULE = Rule(
    code="CNF004",
    name="invalid-label",
    twin="SCH014",
    severity=Severity.ERROR,
    rejects=True,
    summary="A label has a key or a value that Kubernetes does not allow.",
    help="A label value has at most 63 letters, digits, '-', '_' and '.'. The API server rejects a slash or a space.",
    sources=(
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodeclaim_validation.go",
    ),
    check=_check,
)
