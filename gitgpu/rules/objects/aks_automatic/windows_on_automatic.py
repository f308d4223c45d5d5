"""Windows nodes, or pods that need them, on an AKS Automatic cluster."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import OS_LABEL
from gitgpu.objects.node.agent_pools import clusters, pools_of
from gitgpu.objects.node.automatic import is_automatic
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.node_constraints import required_labels
from gitgpu.objects.workload.pods import REQUIRED, Pod, pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    for cluster in clusters(objects):
        if reach(cluster.body, "spec", "sku", "name") == "Automatic":
            for pool in pools_of(cluster, objects):
                if pool.os_type == "Windows":
                    message = f"AKS Automatic has no Windows nodes, but pool '{pool.name}' has osType: Windows"
                    remedy = "remove the pool; only a cluster with another sku can have it"
                    yield Finding(pool.item, pool.place("osType"), message, remedy)
    for pod in pods(objects) if is_automatic(objects) else ():
        if place := _needs_windows(pod):
            message = "the pods need Windows nodes, which AKS Automatic does not have"
            yield Finding(pod.item, place, message, "run them on a cluster with another sku")


def _needs_windows(pod: Pod) -> Pointer | None:
    """Where the pods say that they run on Windows nodes only; None if they can run on others."""
    terms = len(reach(pod.spec, *REQUIRED) or ())
    for label in required_labels(pod):
        only = [value for _, value in label.values] == ["windows"] and label.operator == "In"
        if label.key == OS_LABEL and only and (label.term is None or terms == 1):
            return label.place
    return (*pod.pointer, "os", "name") if reach(pod.spec, "os", "name") == "windows" else None


RULE = Rule(
    code="APL110",
    name="windows-on-automatic",
    twin="AUT003",
    severity=Severity.ERROR,
    summary="A node pool of an AKS Automatic cluster has Windows nodes, or pods need such nodes.",
    help="AKS Automatic supports Linux nodes only. Pods for Windows stay Pending.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/aks-automatic/aks-automatic-limitations.md",
    ),
    check=_check,
)
