"""A workload that scales on a metric of GPUs that it shares with other workloads."""

from collections.abc import Iterator
from itertools import chain, product

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Workload
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import gpu_signals
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that scale on a metric of GPUs that other workloads use too."""
    users: dict[tuple[str, str], list[Workload]] = {}
    for workload in inputs.workloads:
        for place in _shared_pools(inputs, workload):
            users.setdefault(place, []).append(workload)
    for workload, signal, _ in gpu_signals(inputs):
        sharing = chain.from_iterable(users[place] for place in _shared_pools(inputs, workload))
        others = dict.fromkeys(other.name for other in sharing if other is not workload)
        if others:
            message = f"{signal.metric} measures the whole GPU, and {join_names(others)} may use the same GPU"
            remedy = "scale on a query about the workload's own requests, or give the workload a pool for itself"
            yield Finding(workload.origin, (*signal.place, "metric"), message, remedy)


def _shared_pools(inputs: Inputs, workload: Workload) -> list[tuple[str, str]]:
    """The pools of a workload whose GPUs are shared, on each cluster, in the order in which it names them."""
    clusters = {pool.name: pool.clusters for pool in inputs.pools_named(workload) if pool.sharing.way}
    places: list[tuple[str, str]] = []
    for name in workload.pools:
        places += product([name], clusters.get(name, ()))
    return places


RULE = Rule(
    code="SCL012",
    name="gpu-metric-on-shared-gpu",
    severity=Severity.WARNING,
    summary="A workload scales on a GPU metric of GPUs that it shares with other workloads.",
    help="DCGM measures a GPU, not the share of a pod, and the exporter reports the same value for every pod on "
    "the GPU. The load of one workload then scales the other.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-sharing.rst",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/transformation/kubernetes.go",
    ),
    facts=("metrics",),
    check=_check,
)
