"""A workload that scales to zero and cannot scale up again."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.own_metrics import reporters
from gitgpu.model.metrics.promql import Selector
from gitgpu.objects.monitoring.queries import POD_LABELS, Query, trigger_queries
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import lowest, of_item, scaled_objects, scaled_pods
from gitgpu.objects.workload.devices import gpu_devices
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

# Labels that distinguish the metrics of one model server from those of others.
_OF_SERVERS = ("app", "deployment", "job", "model_name", "service")


def _check(objects: Objects) -> Iterator[Finding]:
    queries: dict[int, list[Query]] = {}
    for query in trigger_queries(objects):
        queries.setdefault(id(query.item), []).append(query)
    for item in scaled_objects(objects):
        item_triggers = list(of_item(item))
        mine = queries.get(id(item), [])
        if (
            item_triggers
            and lowest(item) == 0
            # A trigger without a PromQL query, such as a queue, works without pods.
            and len(mine) == len(item_triggers)
            and all(_ends_with_last_pod(query, item, objects) for query in mine)
        ):
            message = (
                "it scales to zero, but all its triggers read metrics of its own pods, so it never scales up again"
            )
            idle = item.body["spec"].get("idleReplicaCount") is not None
            more = "remove idleReplicaCount and " if idle else ""
            remedy = f"{more}set minReplicaCount: 1, or add a trigger on waiting work, such as a queue or requests"
            yield Finding(item, _place(item), message, remedy)


def _ends_with_last_pod(query: Query, item: Item, objects: Objects) -> bool:
    """Whether all series of the query disappear with the last pod. Without a label of pods, others may report them."""
    if not reporters(query.parts, objects.catalog):
        return False
    exporters = tuple(row["prefix"] for row in objects.catalog.rows("series").values() if row.get("pods"))
    for selector in query.selectors:
        if not _selects_pods(selector, () if selector.metric.startswith(exporters) else _OF_SERVERS):
            return _is_alone(item, objects)
    return True


def _selects_pods(selector: Selector, others: Sequence[str]) -> bool:
    labels = (*POD_LABELS, *others)
    return any(match.label in labels and match.wants_label for match in selector.matchers)


def _is_alone(item: Item, objects: Objects) -> bool:
    """Whether no pods but those that it scales use a GPU, so that nothing else can report the metric."""
    gpu_pods = [pod for pod in pods(objects) if gpu_devices(pod, objects)]
    return len(gpu_pods) == 1 and objects.closed and scaled_pods(item, objects) == gpu_pods[0]


def _place(item: Item) -> Pointer:
    spec = item.body["spec"]
    written_keys = [key for key in ("idleReplicaCount", "minReplicaCount") if spec.get(key) is not None]
    return ("spec", written_keys[0]) if written_keys else ("spec", "triggers")


RULE = Rule(
    code="KED019",
    name="scale-from-zero-on-own-metric",
    twin="SCL001",
    severity=Severity.WARNING,
    summary="A ScaledObject can scale to zero, and all its triggers read metrics of its own pods.",
    help="DCGM labels the metrics of a GPU with the pod that uses it, and model servers such as vLLM report their own "
    "queue. The series ends with the last pod, KEDA reads the empty result as 0, and the trigger never becomes active "
    "again.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/README.md",
    ),
    check=_check,
)
