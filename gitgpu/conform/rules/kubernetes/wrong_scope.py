"""A namespace where there is none, or none where one is needed."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.schema.contract import Scope
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    loose = not objects.closed  # kubectl and Kustomize may be given the namespace on the way
    for item in objects.items:
        kind, place = item.identity.kind, ("metadata", "namespace")
        if item.scope is Scope.CLUSTER and item.ref.namespace:
            yield Finding(item, place, f"{kind} is not a namespaced kind", "remove the namespace")
        elif item.scope is Scope.NAMESPACED and not (item.identity.namespace or loose or item.is_patch):
            yield Finding(item, place, f"the {kind} names no namespace", "add metadata.namespace")


RULE = Rule(
    code="CNF007",
    name="wrong-scope",
    severity=Severity.WARNING,
    summary="An object of a cluster-wide kind names a namespace, or an object of a namespaced kind names none.",
    help="Without a namespace the object lands wherever the person or the engine that applies it happens to work.",
    sources=("https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/",),
    check=_check,
    bad="""
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: nvidia, namespace: kube-system}
handler: nvidia
---
apiVersion: v1
kind: ConfigMap
metadata: {name: dcgm-metrics}
""",
    good="""
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: nvidia}
handler: nvidia
---
apiVersion: v1
kind: ConfigMap
metadata: {name: dcgm-metrics, namespace: monitoring}
""",
)
