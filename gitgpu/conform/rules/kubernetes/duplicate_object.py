"""Two definitions of the same object."""

from collections.abc import Iterator

from gitgpu.conform.objects import Identity, Item, Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

_TESTS = frozenset({"chainsaw.kyverno.io", "kuttl.dev"})  # read by a test tool, and never applied


BAD = """
apiVersion: v1
kind: Namespace
metadata: {name: gpu-operator}
---
apiVersion: v1
kind: Namespace
metadata: {name: gpu-operator, labels: {team: platform}}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    first: dict[tuple[Identity, str], Item] = {}
    for item in objects.items:
        if item.is_patch or not item.identity.name or item.identity.group in _TESTS:
            continue
        other = first.setdefault((item.identity, item.renamed), item)
        if other is not item:
            where = f"{item.identity.namespace}/{item.identity.name}".lstrip("/")
            message = f"duplicate {item.identity.kind} {where} (first in {other.given.places.span()})"
            yield Finding(item, ("metadata", "name"), message, "remove one, or give it another name")


RULE = Rule(
    code="CNF008",
    name="duplicate-object",
    severity=Severity.ERROR,
    summary="Two objects of one cluster have the same kind, namespace and name.",
    help="Kustomize refuses to build them together. Applied separately, they keep overwriting each other.",
    sources=(
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/names/",
        "https://github.com/kubernetes-sigs/kustomize/blob/dd55d1e619288fc620640329f800d0812a9c9e31/api/resmap/reswrangler.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("gpu-operator, labels: {team: platform}", "gpu-monitoring"),
)
