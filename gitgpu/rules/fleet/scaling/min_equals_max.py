"""A minimum of replicas equal to the maximum."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.scaling._bounds import unscalable
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with min equal to max: KEDA accepts it, and does nothing. It rejects min above max (SCL002)."""
    for workload, minimum, maximum in unscalable(inputs):
        if minimum == maximum:
            message = f"min and max are both {maximum}: there is nothing to scale"
            remedy = "raise max, or remove scaling and set the replicas in the workload itself"
            yield Finding(workload.origin, ("spec", "scaling", "max"), message, remedy)


RULE = Rule(
    code="SCL015",
    name="min-equals-max",
    severity=Severity.WARNING,
    summary="The minimum and the maximum replicas of a workload are equal.",
    help="min is 1 by default, so max: 1 fixes the number of replicas, and KEDA still queries Prometheus all the time.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_types.go",
    ),
    check=_check,
)
