"""An annotation that Kubernetes no longer reads."""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pod_templates import pod_templates
from gitgpu.objects.workload.template import Template
from gitgpu.rules.object_rule import Finding, Rule

# The release that stopped reading each annotation, and what replaced it.
_REMOVED = {
    "scheduler.alpha.kubernetes.io/affinity": ("1.6", "spec.affinity"),
    "scheduler.alpha.kubernetes.io/critical-pod": ("1.16", "priorityClassName: system-node-critical"),
    "scheduler.alpha.kubernetes.io/tolerations": ("1.6", "spec.tolerations"),
    "seccomp.security.alpha.kubernetes.io/pod": ("1.27", "securityContext.seccompProfile"),
}
_OF_CONTAINERS = {
    "container.seccomp.security.alpha.kubernetes.io/": ("1.27", "securityContext.seccompProfile of the container"),
}


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.items:
        for template in pod_templates(item):
            yield from _template_findings(item, template)


def _template_findings(item: Item, template: Template) -> Iterator[Finding]:
    for key in mapping_at(template.body, "metadata", "annotations"):
        if fault := _removed(key):
            since, instead = fault
            message = f"{key} has no effect as of Kubernetes {since}"
            place = (*template.pointer, "metadata", "annotations", key)
            yield Finding(item, place, message, f"remove it; use {instead}", at_key=True)


def _removed(key: str) -> tuple[str, str] | None:
    """The release that stopped reading the annotation, and what to use instead; None if Kubernetes reads it."""
    prefixed = next((fault for prefix, fault in _OF_CONTAINERS.items() if key.startswith(prefix)), None)
    return prefixed or _REMOVED.get(key)


RULE = Rule(
    code="POD093",
    name="annotation-without-effect",
    severity=Severity.WARNING,
    summary="Pods have an annotation that Kubernetes no longer reads.",
    help="Alpha annotations were replaced by fields of the pod. A device plugin marked by critical-pod has no "
    "priority: other pods can push it off a full node.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/9349688d40f14e5b6814ae6daecd386a3f6fe7b4/CHANGELOG/CHANGELOG-1.16.md",
        "https://github.com/kubernetes/kubernetes/blob/9349688d40f14e5b6814ae6daecd386a3f6fe7b4/CHANGELOG/CHANGELOG-1.6.md",
        "https://kubernetes.io/docs/reference/labels-annotations-taints/",
    ),
    check=_check,
)
