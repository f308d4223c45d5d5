"""Pods with GPUs that run, as far as their phase says, and whose containers end again and again."""

from collections.abc import Iterator, Mapping

from gitgpu.access import reach
from gitgpu.diagnose.cause import Answer
from gitgpu.diagnose.pods.started import is_crashing, startup_answer
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.kinds import POD
from gitgpu.objects.workload.devices import requests_gpus
from gitgpu.objects.workload.pods import pods


def crashing_pods(nodes: Mapping[str, Answer], state: State) -> Iterator[Answer]:
    """The answers about pods with GPUs that crash. `nodes` are the answers about nodes."""
    for pod in pods(state.objects):
        body = pod.item.body
        if pod.item.identity[:2] != POD or reach(body, "metadata", "deletionTimestamp") or not is_crashing(pod.item):
            continue
        if requests_gpus(pod, state.objects):
            yield startup_answer(pod.item, nodes, state)
