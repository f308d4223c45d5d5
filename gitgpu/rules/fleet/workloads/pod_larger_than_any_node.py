"""A pod that requests more GPUs than one node can give it."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet.workloads._gpus_of_node import gpus_of_node, offered_instances
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import count_text, join_names

GPUS = ("spec", "gpus")


class _Count(NamedTuple):
    """What is counted for one pod on a node of a size, and what the node has once it runs."""

    counted: int
    size: str
    offered: int
    by_karpenter: bool

    @property
    def text(self) -> str:
        """The count as a clause."""
        if self.offered <= self.counted:
            return f"a node of its pools has at most {self.counted} ({self.size})"
        counter = "Karpenter" if self.by_karpenter else "the cluster autoscaler"
        counts = f"{counter} counts {count_text(self.counted, 'GPU')} on it"
        later = f"the {count_text(self.offered, 'instance')} exist only later"
        return f"before it starts a node of its pools ({self.size}), {counts}; {later}"


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose pods request more GPUs, or shares of GPUs, than a pod can get."""
    for workload in inputs.workloads:
        pools = inputs.pools_of(workload)
        shared = [with_place(pool.name, pool.origin, ("spec", "partition")) for pool in pools if pool.sharing.way]
        if workload.gpus > 1 and shared:
            message = (
                f"a pod requests {workload.gpus} GPUs, but it can get only one share of a GPU of {join_names(shared)}"
            )
            remedy = "set gpus: 1, or name pools without partition"
            yield Finding(workload.origin, GPUS, message, remedy)
        # A pod gets one share of a GPU, so what a node has does not matter there.
        yield from _too_many(workload, [pool for pool in pools if not pool.sharing.way])


def _too_many(workload: Workload, pools: list[Pool]) -> Iterator[Finding]:
    counts = [_count(sku, pool, workload) for pool in pools for sku in pool.skus]
    certain = [count for count in counts if count is not None]
    # A size whose GPUs are not recorded may have enough of them.
    if not certain or len(certain) < len(counts):
        return
    largest = max(certain)
    if workload.gpus > largest.counted:
        is_partitioned = any(pool.mig and (pool.mig.single or workload.mig) for pool in pools)
        requested = count_text(workload.gpus, "instance" if is_partitioned else "GPU")
        message = f"a pod requests {requested}, but {largest.text}"
        remedy = _without(workload, pools)
        if largest.counted:
            remedy = f"set gpus: {largest.counted} or less, or name a pool with larger sizes"
        yield Finding(workload.origin, GPUS, message, remedy)


def _count(sku: Sku, pool: Pool, workload: Workload) -> _Count | None:
    gpus = gpus_of_node(sku, pool, workload)
    if gpus is None:
        return None
    return _Count(gpus, sku.name, offered_instances(sku.gpus or 0, pool, workload), by_karpenter=pool.by_karpenter)


def _without(workload: Workload, pools: list[Pool]) -> str:
    """The remedy if no node has anything for the pods."""
    profiles: set[str] = set()
    for pool in pools:
        for layout in pool.mig.layouts if pool.mig else ():
            profiles.update(layout)
    if profiles and not workload.mig:
        choices = " or ".join(sorted(profiles))
        return f"set mig: {choices}, which its pools are split into, and gpus to the number of instances"
    return "name a pool whose nodes have what a pod requests"


RULE = Rule(
    code="SCH009",
    name="pod-larger-than-any-node",
    twin="POD006",
    severity=Severity.ERROR,
    summary="A pod requests more GPUs than a node of its pools can give to one pod.",
    help="All GPUs of a pod are on one node. A second share of a shared GPU adds no computing time, so gitgpu sets "
    "failRequestsGreaterThanOne: the device plugin rejects such a request, and the pod fails with "
    "UnexpectedAdmissionError.",
    sources=(
        "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
    ),
    check=_check,
)
