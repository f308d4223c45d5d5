"""A ClusterQueue that admits no workload of a namespace with a LocalQueue for it."""

from collections.abc import Iterator

from gitgpu.access import MAPPING, reach, text_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CLUSTER_QUEUE, LOCAL_QUEUE
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.namespaces import excluding_label
from gitgpu.rules.object_rule import Finding, Rule

_SELECTOR = ("spec", "namespaceSelector")


def _check(objects: Objects) -> Iterator[Finding]:
    patched = objects.patched_names(*CLUSTER_QUEUE)
    selectors = {}
    for item in objects.of(*CLUSTER_QUEUE):
        selector = reach(item.body, *_SELECTOR)
        if item.identity.name in patched:
            continue
        if isinstance(selector, MAPPING):
            selectors[item.identity.name] = selector
        elif selector is None:
            message = "without a namespaceSelector, the queue selects no namespace and admits no workload"
            yield Finding(item, ("spec",), message, "set namespaceSelector: {} to select all namespaces")
    for item in objects.of(*LOCAL_QUEUE):
        namespace, queue = item.identity.namespace, text_at(item.body, "spec", "clusterQueue")
        label = excluding_label(selectors[queue], namespace, objects) if namespace and queue in selectors else ""
        if label:
            message = f"ClusterQueue '{queue}' does not select namespace {namespace}, by its label {label}"
            remedy = "change the namespaceSelector of the ClusterQueue, or the labels of the namespace"
            yield Finding(item, ("spec", "clusterQueue"), message, remedy)


RULE = Rule(
    code="QUE012",
    name="namespace-not-selected",
    severity=Severity.ERROR,
    summary="A ClusterQueue selects no namespace, or not one that has a LocalQueue for it.",
    help="Kueue admits a workload only if the namespaceSelector of the ClusterQueue selects the namespace. An "
    "empty selector, {}, selects all namespaces, but none at all selects none.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/apis/kueue/v1beta2/clusterqueue_types.go",
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/scheduler/scheduler.go",
    ),
    check=_check,
)
