"""A minimum of replicas above the maximum."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.scaling._bounds import unscalable
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with min above max; KEDA accepts equal values, and SCL015 warns about those."""
    for workload, minimum, maximum in unscalable(inputs):
        if minimum > maximum:
            message = f"min: {minimum} is greater than max: {maximum}"
            # SCL015 reports a minimum that equals the maximum.
            remedy = f"set min: {max(maximum - 1, 0)} or less, or raise max"
            yield Finding(workload.origin, ("spec", "scaling", "min"), message, remedy)


RULE = Rule(
    code="SCL002",
    name="conflicting-replica-bounds",
    twin="KED004",
    severity=Severity.ERROR,
    summary="The minimum replicas of a workload are more than its maximum.",
    help="KEDA rejects a ScaledObject whose minReplicaCount is greater than its maxReplicaCount.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_types.go",
    ),
    check=_check,
)
