"""Idle replicas that are not fewer than the minimum."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import scaled_workloads


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose idle is not less than min."""
    for workload, scaling, _ in scaled_workloads(inputs):
        if scaling.idle is not None and scaling.idle >= scaling.min:
            message = f"idle: {scaling.idle} is not less than min: {scaling.min}"
            yield Finding(workload.origin, ("spec", "scaling", "idle"), message, "remove idle, or raise min")


RULE = Rule(
    code="SCL066",
    name="idle-not-below-min",
    severity=Severity.ERROR,
    summary="A workload keeps at least min replicas while idle.",
    help="KEDA rejects a ScaledObject whose idleReplicaCount is not less than its minReplicaCount. With min: 0 the "
    "workload scales to zero without idle.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_types.go",
    ),
    check=_check,
)
