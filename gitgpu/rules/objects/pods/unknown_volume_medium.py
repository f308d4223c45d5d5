"""A medium of an emptyDir that the kubelet does not know."""

from collections.abc import Iterator

from gitgpu.access import rows, text_at
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule

_MEMORY, _HUGE_PAGES = "Memory", "HugePages"


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        for index, volume in enumerate(rows(pod.spec, "volumes")):
            medium = text_at(volume, "emptyDir", "medium")
            known = medium in ("", _MEMORY, _HUGE_PAGES) or medium.startswith(f"{_HUGE_PAGES}-") or is_template(medium)
            if not known:
                place = (*pod.pointer, "volumes", index, "emptyDir", "medium")
                message = f"the kubelet does not know the medium '{medium}', so the pod does not start"
                repair = Repair(Change.VALUE, place, _MEMORY) if medium.lower() == _MEMORY.lower() else None
                remedy = f"use {_MEMORY}" if repair else f"use {_MEMORY} or {_HUGE_PAGES}, or remove it to use the disk"
                yield Finding(pod.item, place, message, remedy, repair=repair)


RULE = Rule(
    code="POD108",
    name="unknown-volume-medium",
    severity=Severity.ERROR,
    summary="An emptyDir has a medium that the kubelet does not know, such as memory in lower case.",
    help="The API server accepts any text. The kubelet then fails to set up the volume, and the pod stays in "
    "ContainerCreating. Model servers need such a volume at /dev/shm.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/9349688d40f14e5b6814ae6daecd386a3f6fe7b4/pkg/volume/emptydir/empty_dir.go",
        "https://kubernetes.io/docs/concepts/storage/volumes/#emptydir",
    ),
    check=_check,
    fixable=True,
)
