"""A fallback above max or below min."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import scaled_workloads
from gitgpu.spelling import count_text


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose fallback is above their maximum or below their minimum replicas."""
    for workload, scaling, _ in scaled_workloads(inputs):
        fallback = scaling.fallback
        if fallback and not scaling.min <= fallback.replicas <= scaling.max:
            too_many = fallback.replicas > scaling.max
            bound = scaling.max if too_many else scaling.min
            side = f"greater than max: {bound}" if too_many else f"less than min: {bound}"
            message = f"the fallback of {count_text(fallback.replicas, 'replica')} is {side}, which applies instead"
            place = ("spec", "scaling", "fallback", "replicas")
            yield Finding(workload.origin, place, message, f"set replicas: {bound}")


RULE = Rule(
    code="SCL064",
    name="fallback-without-effect",
    twin="KED064",
    severity=Severity.WARNING,
    summary="A fallback has more replicas than max, or fewer than min.",
    help="KEDA passes the fallback to the HorizontalPodAutoscaler as a metric, and the HorizontalPodAutoscaler stays "
    "between min and max.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/fallback/fallback.go",
    ),
    check=_check,
)
