"""A Topology with a level that no node has."""

from collections.abc import Iterator

from gitgpu.access import rows, text_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import TOPOLOGY
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.nodes import is_for_aks, may_have
from gitgpu.rules.object_rule import Finding, Rule

_LEVELS = ("spec", "levels")
_CLOUDS = ("cloud.google.com/", "cloud.provider.com/", "eks.amazonaws.com/", "topology.k8s.aws/", "topology.k8s.gcp/")


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*TOPOLOGY):
        for index, level in enumerate(rows(item.body, *_LEVELS)):
            label = text_at(level, "nodeLabel")
            is_foreign = label.startswith(_CLOUDS)
            if label and (objects.closed or is_foreign) and is_for_aks(objects) and not may_have(label, objects):
                where = (
                    "AKS sets no such label, and no pool does" if not is_foreign else "it is a label of another cloud"
                )
                message = f"no node has the label {label}: {where}, so Kueue finds no room for workloads"
                remedy = "use labels that nodes have, such as topology.kubernetes.io/zone and kubernetes.io/hostname"
                yield Finding(item, (*_LEVELS, index, "nodeLabel"), message, remedy)


RULE = Rule(
    code="QUE024",
    name="topology-label-on-no-node",
    severity=Severity.WARNING,
    summary="A level of a Topology is a label that no node has.",
    help="Kueue counts a node in a topology only if it has the labels of all levels. Labels of blocks and racks "
    "are those of other clouds, or of software that you run to set them.",
    sources=("https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/cache/scheduler/tas_flavor.go",),
    facts=("placement/aks",),
    check=_check,
)
