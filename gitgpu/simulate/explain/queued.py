"""What the queue of a workload means for it: what it waits for, and what is uncertain."""

from collections.abc import Iterator

from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod
from gitgpu.objects.workload.queues import may_be_queued, queue_of
from gitgpu.simulate.forecast import Doubt, Reason
from gitgpu.simulate.queue.admission import admissions
from gitgpu.simulate.workloads import Work
from gitgpu.spelling import join_names


def of_queue(work: Work) -> Iterator[Reason]:
    """What the pods wait for that Kueue does not admit."""
    if work.queued and work.queued.waits and work.admitted_count < work.high:
        queue = queue_of(work.pod)
        place = work.pod.item.given.places.span(queue.pointer if queue else ())
        change = "request less, or raise the quota"
        remedy = change if work.queued.never else f"wait until other workloads end, {change}"
        yield Reason("", "queue", f"waits for quota: {work.queued.waits}", remedy, place, place)


def of_admission(pod: Pod, objects: Objects) -> Iterator[Doubt]:
    """What is not known about the admission of the pods."""
    if not may_be_queued(pod):
        return
    outcome = admissions(objects).outcomes.get(id(pod.item.body))
    if outcome is None:
        yield Doubt("queue", "Kueue decides when the pod starts, and may add tolerations")
        return
    if outcome.never:
        return
    named = f"Kueue gives it {join_names([f'flavor {name}' for name in outcome.flavors])}; " if outcome.flavors else ""
    checks = ", and its admission checks must pass" if outcome.checked else ""
    text = f"{named}other workloads may use the quota, and Kueue may preempt workloads{checks}"
    yield Doubt("queue", text)
    if outcome.rivals:
        why = "they have the same priority, and the input does not say which is older"
        yield Doubt("queue", f"Kueue may start it before {join_names(outcome.rivals)}: {why}")
