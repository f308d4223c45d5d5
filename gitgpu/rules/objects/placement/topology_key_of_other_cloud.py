"""A required topology whose key only the nodes of another cloud have."""

from collections.abc import Iterator

from gitgpu.access import list_at, mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.foreign_labels import azure_label
from gitgpu.objects.node.node_pools import foreign_pools, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_AFFINITY = ("affinity", "podAffinity", "requiredDuringSchedulingIgnoredDuringExecution")


def _check(objects: Objects) -> Iterator[Finding]:
    pools = node_pools(objects)
    if not pools or foreign_pools(objects):
        return
    announced_keys = {key for pool in pools for key in (*pool.labels, *(entry.key for entry in pool.entries))}
    for pod in pods(objects):
        for place, key in _required_keys(pod):
            label = "" if key in announced_keys else azure_label(key, objects)
            if label:
                message = f"no node in AKS has {key}, a label of another cloud, so the pod stays Pending"
                yield Finding(pod.item, (*pod.pointer, *place, "topologyKey"), message, f"use {label}")


def _required_keys(pod: Pod) -> Iterator[tuple[Pointer, str]]:
    """Anti-affinity is omitted: a node without the label always satisfies it."""
    for index, constraint in enumerate(map(mapping_at, list_at(pod.spec, "topologySpreadConstraints"))):
        if constraint.get("whenUnsatisfiable") == "DoNotSchedule":
            yield ("topologySpreadConstraints", index), str(constraint.get("topologyKey"))
    for index, term in enumerate(map(mapping_at, list_at(pod.spec, *_AFFINITY))):
        yield (*_AFFINITY, index), str(term.get("topologyKey"))


RULE = Rule(
    code="POD107",
    name="topology-key-of-other-cloud",
    severity=Severity.ERROR,
    summary="A pod requires a topology whose key only the nodes of another cloud have.",
    help="The scheduler keeps a pod off every node that lacks the topologyKey of a spread with DoNotSchedule or of a "
    "required pod affinity. A required anti-affinity is always satisfied there, and has no effect.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#inter-pod-affinity-and-anti-affinity",
        "https://github.com/aws/karpenter-provider-aws/blob/0f1617143dedd87bc9b84a92213329423034283b/pkg/apis/v1/labels.go",
    ),
    check=_check,
)
