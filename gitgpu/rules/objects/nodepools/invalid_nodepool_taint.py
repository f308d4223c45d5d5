"""A taint of a NodePool with a key or value that is not valid."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_pools import SPEC, every_node_pool
from gitgpu.objects.objects import Objects
from gitgpu.objects.syntax import is_label_value, is_qualified_name
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        for place, key, value in _taints(pool.item.body):
            if not is_qualified_name(key):
                message = f"'{key}' is not a valid taint key"
                remedy = "use at most 63 characters after the '/', and at most 253 before it"
                yield Finding(pool.item, (*place, "key"), message, remedy)
            if not is_label_value(value):
                message = f"'{value}' is not a valid taint value"
                remedy = "use at most 63 letters, digits, '-', '_' and '.', and no '/'"
                yield Finding(pool.item, (*place, "value"), message, remedy)


def _taints(body: object) -> Iterator[tuple[Pointer, str, str]]:
    node = reach(body, *SPEC) or {}
    for field in ("taints", "startupTaints"):
        for index, taint in enumerate(node.get(field) or ()):
            yield (*SPEC, field, index), taint.get("key") or "", taint.get("value") or ""


RULE = Rule(
    code="NPL005",
    name="invalid-nodepool-taint",
    severity=Severity.ERROR,
    never_ready=True,
    summary="A NodePool has a taint with a key or value that Kubernetes does not allow.",
    help="The API server accepts the NodePool. A key or value that is too long keeps it NotReady. A value with a slash "
    "passes that check as well, and then no node of the NodePool can register.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodeclaim_validation.go",
        "https://kubernetes.io/docs/reference/kubectl/generated/kubectl_taint/",
    ),
    check=_check,
)
