"""A volume that the API server rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

# HostPathType of Kubernetes.
_TYPES = (
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket",
)
# The schema allows these names to be empty; the API server does not.
_NAMES = {"configMap": "name", "hostPath": "path", "persistentVolumeClaim": "claimName", "secret": "secretName"}


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for index, volume in enumerate(pod.spec.get("volumes") or ()):
            for below, message, remedy in _faults(volume or {}):
                yield Finding(pod.item, (*pod.pointer, "volumes", index, *below), message, remedy)


def _faults(volume: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    kinds = [kind for kind, source in volume.items() if kind != "name" and source is not None]
    if len(kinds) > 1:
        yield (
            (kinds[1],),
            f"a volume can have only one source; found {', '.join(kinds)}",
            "define one volume for each source",
        )
    for kind in kinds:
        source, needed = volume[kind], _NAMES.get(kind)
        if needed and not source.get(needed):
            yield (kind,), f"{kind} needs {needed}", f"set {needed} in {kind}"
        if kind == "hostPath" and source.get("type") not in (None, "", *_TYPES):
            remedy = f"use one of: {', '.join(_TYPES)}"
            yield (kind, "type"), f"unknown hostPath type '{source['type']}'", remedy


RULE = Rule(
    code="POD033",
    name="invalid-volume",
    severity=Severity.ERROR,
    rejects=True,
    summary="A volume has several sources, a source without a name or path, or an unknown hostPath type.",
    help="The API server rejects the pod, and any workload whose template has such a volume.",
    sources=("https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",),
    check=_check,
)
