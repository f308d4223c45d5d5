"""A requirement with a key or a value that is not valid for a label."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.requirement import BOUNDS
from gitgpu.objects.node.node_pools import every_node_pool
from gitgpu.objects.objects import Objects
from gitgpu.objects.syntax import is_label_value, is_qualified_name
from gitgpu.rules.object_rule import Finding, Rule

_LABEL_VALUE = "use at most 63 letters, digits, '-', '_' and '.', starting and ending with a letter or digit"


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        for entry in pool.entries:
            if not is_qualified_name(entry.key):
                remedy = "use at most 63 characters after the '/', and at most 253 before it"
                message = f"'{entry.key}' is not a valid label key"
                yield Finding(pool.item, (*entry.pointer, "key"), message, remedy)
            # NPL001 checks the values of bounds.
            for place, value in () if entry.operator in BOUNDS else entry.placed:
                if not is_label_value(value):
                    yield Finding(pool.item, place, f"'{value}' is not a valid label value", _LABEL_VALUE)


RULE = Rule(
    code="NPL004",
    name="invalid-requirement",
    severity=Severity.ERROR,
    never_ready=True,
    summary="A NodePool requires a label key or value that Kubernetes does not allow.",
    help="The API server accepts it, because the pattern in the CRD does not apply to the values of the list. "
    "Karpenter's own validation rejects it, and the NodePool never becomes Ready.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodeclaim_validation.go",
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set",
    ),
    check=_check,
)
