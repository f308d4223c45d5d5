"""A node selector with an invalid label."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.label_selectors import label_faults
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        for key, value in (pod.spec.get("nodeSelector") or {}).items():
            for _, message, remedy in label_faults((), key, value):
                yield Finding(pod.item, (*pod.pointer, "nodeSelector", key), message, remedy)


RULE = Rule(
    code="POD028",
    name="invalid-node-selector",
    severity=Severity.ERROR,
    rejects=True,
    summary="A node selector has a label key or value that is not valid.",
    help="The API server rejects the pod, and any workload whose template has such a selector.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set",
    ),
    check=_check,
)
