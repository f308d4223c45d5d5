"""A startup taint that keeps GPU pods off, and that no known software removes."""

from collections.abc import Iterator

from gitgpu.access import list_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.model.names.resources import AMD_GPU, NVIDIA_GPU
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_DEDICATED = (AMD_GPU, NVIDIA_GPU, "sku")  # keys of lasting taints; no operator removes them


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*NODE_POOL):
        for index, taint in enumerate(list_at(item.body, "spec", "template", "spec", "startupTaints")):
            key = reach(taint, "key")
            if key in _DEDICATED:
                message = (
                    f"no known software removes the startup taint {key}, so the nodes are never initialized, and "
                    "Karpenter does not consolidate them"
                )
                place = ("spec", "template", "spec", "startupTaints", index)
                yield Finding(item, place, message, "move it to spec.template.spec.taints")


RULE = Rule(
    code="NPL037",
    name="startup-taint-never-removed",
    severity=Severity.WARNING,
    summary="A NodePool has a taint for GPU nodes among its startupTaints.",
    help="Karpenter expects a startup taint to be removed once the node is ready, and ignores it when it places pods. "
    "A taint that dedicates nodes to GPU pods is never removed, so the node is never initialized.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/issues/1479",
        "https://karpenter.sh/docs/concepts/nodepools/#spectemplatespecstartuptaints",
    ),
    check=_check,
)
