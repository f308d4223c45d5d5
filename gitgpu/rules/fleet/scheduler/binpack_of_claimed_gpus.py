"""A profile of the scheduler fills nodes by the resources that pods request."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import is_claimed
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_with_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with a profile on which pods claim the GPUs of all pools."""
    for cluster in inputs.clusters:
        pools = inputs.pools_on(cluster) if cluster.binpack else ()
        if pools and all(is_claimed(cluster, pool) for pool in pools):
            message = f"binpack has no effect: pods of {stack_with_place(cluster, 'allocation')} claim their GPUs"
            yield Finding(cluster.origin, ("spec", "scheduler", "gpus"), message, "set default")


RULE = Rule(
    code="SDL003",
    name="binpack-of-claimed-gpus",
    severity=Severity.WARNING,
    summary="A cluster sets scheduler.gpus: binpack, and pods claim the GPUs of all its pools.",
    help="The strategy MostAllocated scores a node by the resources that its pods request. Devices that pods get by "
    "ResourceClaim do not count, so all nodes get the same score.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/resource-bin-packing/",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
    ),
    check=_check,
)
