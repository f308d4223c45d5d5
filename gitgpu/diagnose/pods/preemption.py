"""Pods for which kube-scheduler evicts pods with a lower priority."""

from gitgpu.access import reach, text_at
from gitgpu.diagnose.cause import FITS_NOW, Answer, Cause, Evidence, subject_of
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.kinds import POD
from gitgpu.objects.objects import Item


def preemption_answer(item: Item, state: State) -> Answer | None:
    """The answer of a pod that waits for the end of the pods that kube-scheduler evicts for it; None if it evicts none.

    `nominatedNodeName` stays after the eviction, so pods that are being deleted on that node show that it goes on.
    """
    node = text_at(item.body, "status", "nominatedNodeName")
    leaving_pods = [pod for pod in state.objects.of(*POD) if node and _leaves(pod, node)]
    if not leaving_pods:
        return None
    message = f"kube-scheduler evicts pods with a lower priority from node {node} for it"
    remedy = "wait: a pod has its terminationGracePeriodSeconds to end"
    evidence = tuple(Evidence(subject_of(pod).full_name, "is being deleted") for pod in leaving_pods)
    return Answer(subject_of(item), Cause(FITS_NOW, message, remedy, normal=True), evidence, (node,))


def _leaves(pod: Item, node: str) -> bool:
    return reach(pod.body, "spec", "nodeName") == node and bool(reach(pod.body, "metadata", "deletionTimestamp"))
