"""A namespace on a cluster-scoped object, or none on a namespaced one."""

from collections.abc import Iterator

from gitgpu.access import text_at
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.schema.contract import Scope
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    may_be_set_later = not objects.closed  # kubectl and Kustomize can set the namespace
    for item in objects.items:
        kind, place = item.identity.kind, ("metadata", "namespace")
        if item.scope is Scope.CLUSTER and _has_namespace(item):
            yield Finding(item, place, f"{kind} is cluster-scoped and cannot have a namespace", "remove the namespace")
        elif item.scope is not Scope.NAMESPACED or item.identity.namespace or may_be_set_later or item.is_patch:
            continue
        elif "templates" not in item.given.places.span().file.split("/"):  # Helm: the namespace of the release
            yield Finding(item, place, f"{kind} has no namespace", "add metadata.namespace")


def _has_namespace(item: Item) -> bool:
    """Whether its file sets a namespace: the identity of a cluster-scoped object has none."""
    written = item.delivered.written if item.delivered else item.body
    return text_at(written, "metadata", "namespace") != ""


RULE = Rule(
    code="CNF007",
    name="wrong-scope",
    severity=Severity.WARNING,
    summary="A cluster-scoped object has a namespace, or a namespaced object has none.",
    help="Without a namespace the object is created in the default namespace of the tool that applies it.",
    sources=("https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/",),
    check=_check,
)
