"""The workloads among some objects: their pods, and the fewest and most replicas."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.access import reach
from gitgpu.model.names.kinds import POD
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import Pod, pod_of
from gitgpu.objects.workload.queues import suspension_place
from gitgpu.simulate.autoscaled import count_pods
from gitgpu.simulate.node.existing_nodes import has_ended, is_running
from gitgpu.simulate.pod.admitted_pods import admitted_pod, admitted_pods
from gitgpu.simulate.pod.templates import templates
from gitgpu.simulate.queue.admission import Outcome, admissions, with_flavor

_MAX_PODS = 10_000  # more pods of one workload are not packed one by one: an AKS cluster has at most 5,000 nodes


class Work(NamedTuple):
    """The pods of a workload, and how many there are at least and at most; `scaled` if an autoscaler decides.

    There may be none of those that a gate or `suspend` holds back.

    `queued` is what Kueue does with them, if its queues are in the input.

    If there are too many to simulate, `low` and `high` are capped and `all_pods` is the real maximum; else it is 0.
    """

    pod: Pod
    low: int
    high: int
    scaled: bool = False
    all_pods: int = 0
    queued: Outcome | None = None

    @property
    def admitted_count(self) -> int:
        """How many of the pods a queue admits at most; all of them, if none is known."""
        return self.high if self.queued is None else min(self.high, self.queued.pods.get(self.pod.pointer, 0))

    @property
    def title(self) -> str:
        """Its namespace and name."""
        _, _, space, name = self.pod.item.identity
        return f"{space}/{name}" if space else name


def workloads(objects: Objects) -> Iterator[Work]:
    """Every workload that the scheduler has to place, except DaemonSets; replicas that run already are subtracted."""
    running = _running(objects)
    for workload in _all_workloads(objects):
        replicas = running[workload.pod.item.identity[1:]]
        low, high = max(workload.low - replicas, 0), max(workload.high - replicas, workload.low - replicas, 0)
        all_pods = high if high > _MAX_PODS else 0
        yield workload._replace(low=min(low, _MAX_PODS), high=min(high, _MAX_PODS), all_pods=all_pods)


def _all_workloads(objects: Objects) -> Iterator[Work]:
    for pod in admitted_pods(objects):
        if pod.is_daemon or is_running(pod.item, objects) or has_ended(pod.item) or _owned(pod.item, objects):
            continue
        low, high, scaled = count_pods(pod, objects)
        outcome = admissions(objects).outcomes.get(id(pod.item.body))
        held = _is_held(pod) and outcome is None  # Kueue releases what it admits
        queued_pod = with_flavor(pod, outcome, objects) if outcome else pod
        yield Work(queued_pod, 0 if held else low, high, scaled=scaled, queued=outcome)
    for item in objects.items:
        yield from _template_work(item, objects)


def _is_held(pod: Pod) -> bool:
    """Whether no scheduler looks at the pods until something releases them."""
    return suspension_place(pod.item) is not None or any(pod.spec.get("schedulingGates") or ())


def _owned(item: Item, objects: Objects) -> bool:
    """Whether another workload in the input creates it. A ReplicaSet may belong to a Deployment."""
    makers = _makers(item)
    return any(kind == "DaemonSet" for kind, _, _ in makers) or not _identities(objects).isdisjoint(makers)


def _makers(item: Item) -> list[tuple[str, str, str]]:
    """The possible owners of an object, by kind, namespace and name."""
    space = item.identity.namespace
    makers: list[tuple[str, str, str]] = []
    for reference in reach(item.body, "metadata", "ownerReferences") or ():
        if reach(reference, "controller") is True:
            kind, name = str(reference.get("kind")), str(reference.get("name"))
            makers.append((kind, space, name))
            if kind == "ReplicaSet":  # named after its Deployment, with the hash of the template as the last part
                makers.append(("Deployment", space, name.rpartition("-")[0]))
    return makers


def _running(objects: Objects) -> Counter[tuple[str, str, str]]:
    """The number of running pods of each workload."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for item in objects.of(*POD):
        if is_running(item, objects) and not reach(item.body, "metadata", "deletionTimestamp"):
            counts.update(_makers(item))
    return counts


def _identities(objects: Objects) -> frozenset[tuple[str, str, str]]:
    return objects.once("kinds and names", lambda: frozenset(identity[1:] for identity in objects.present))


def _template_work(item: Item, objects: Objects) -> Iterator[Work]:
    for template in templates(item):
        low, high, *_ = template.counted()
        yield Work(admitted_pod(pod_of(item, template), objects), low, high)
