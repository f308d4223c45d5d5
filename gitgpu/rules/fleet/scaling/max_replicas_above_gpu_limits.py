"""A workload whose maximum replicas need more GPUs than the limits of its pools allow."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import gpus_of_machines
from gitgpu.model.fleet import Cluster, Pool, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import group_clusters
from gitgpu.rules.inputs.limits import nodes_limit
from gitgpu.rules.inputs.scaled_workloads import scaled_workloads
from gitgpu.spelling import MAX_LISTED, comma_separated, count_text, join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that may need more GPUs than their pools may have, on the same cluster; alike ones in one finding."""
    alike: dict[tuple[str, str], list[Workload]] = {}
    for workload, scaling, clusters in scaled_workloads(inputs):
        needed = scaling.max * workload.gpus
        for (room, limits), names in group_clusters(clusters, partial(_room, inputs, workload)).items():
            if room is None or needed <= room:
                continue
            gpus = count_text(needed, "GPU")
            message = f"{scaling.max} replicas need {gpus}, but the pools allow {room} on {join_names(names)}"
            maximum = f", or set max: {room // workload.gpus}" if room >= workload.gpus else ""
            alike.setdefault((message, f"raise {limits} of a pool{maximum}"), []).append(workload)
    for (message, remedy), (first, *others) in alike.items():
        also = f" (also {comma_separated([str(other.name) for other in others], MAX_LISTED)})" if others else ""
        yield Finding(first.origin, ("spec", "scaling", "max"), f"{message}{also}", remedy)


def _room(inputs: Inputs, workload: Workload, cluster: Cluster) -> tuple[int | None, str]:
    """The GPUs, or shares, that the pools of a workload may have on a cluster, and the limits; None if unlimited."""
    pools = [pool for pool in inputs.pools_of(workload) if cluster.name in pool.clusters]
    limits = [(pool, _limit(pool)) for pool in pools]
    rooms = [(limit.gpus * pool.shares, limit.key) for pool, limit in limits if limit]
    keys = " or ".join(sorted({key for _, key in rooms}))
    if len(rooms) < len(limits):
        return None, keys
    return sum(maximum for maximum, _ in rooms), keys


class _Limit(NamedTuple):
    """How many GPUs a pool may have, and the key that limits them."""

    gpus: int
    key: str


def _limit(pool: Pool) -> _Limit | None:
    """The most GPUs that the limits of a pool allow, on GPUs or on nodes; None if there is no such limit.

    SKU007 alone reports a limit below one node: here it counts as no limit.
    """
    counts = [sku.gpus for sku in pool.skus if sku.gpus is not None]
    each = max(counts) if counts and len(counts) == len(pool.skus) else None
    limits = []
    if pool.limits.gpus is not None:
        limits.append(_Limit(pool.limits.gpus, "limits.gpus"))
    if pool.limits.nodes is not None and each:
        limits.append(_Limit(pool.limits.nodes * each, nodes_limit(pool)))
    if pool.has_machines:
        limits = [_Limit(gpus, "nodes.max") for gpus in [gpus_of_machines(pool)] if gpus is not None]
    elif pool.nodes.maximum is not None and not pool.by_karpenter:  # an AKS node pool then has no other limit
        limits = [_Limit(pool.nodes.maximum * each, "nodes.max")] if each else []
    strictest = min(limits, default=None)
    return strictest if strictest and strictest.gpus >= min(counts, default=1) else None


RULE = Rule(
    code="SCL008",
    name="max-replicas-above-gpu-limits",
    twin="KED021",
    severity=Severity.WARNING,
    summary="A workload may scale to more GPUs than the limits of its pools allow.",
    help="Replicas beyond the limits stay Pending: Karpenter stops at the limits of each NodePool. A shared GPU is "
    "counted once for each pod that it may serve.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
    ),
    check=_check,
)
