"""A workload name that makes the name of its HorizontalPodAutoscaler too long."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.autoscaling import HPA_PREFIX, MAX_NAME
from gitgpu.rules.fleet_rule import Finding, Rule

MAX_LENGTH = MAX_NAME - len(HPA_PREFIX)


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose name makes the name of the HorizontalPodAutoscaler too long."""
    for workload in inputs.workloads:
        length = len(workload.name)
        # KEDA creates no HorizontalPodAutoscaler for a ScaledJob.
        if workload.scaling and workload.scaling.engine == "keda" and workload.job is None and length > MAX_LENGTH:
            prefixed = f"{length + len(HPA_PREFIX)} with '{HPA_PREFIX}'"
            message = f"the name has {length} characters, {prefixed}; at most {MAX_NAME} are allowed"
            remedy = f"use a name of at most {MAX_LENGTH} characters for the GpuWorkload; the target keeps its name"
            yield Finding(workload.origin, ("metadata", "name"), message, remedy)


RULE = Rule(
    code="SCL007",
    name="scaled-object-name-too-long",
    twin="KED003",
    severity=Severity.ERROR,
    summary="The name of a scaled workload is too long for the HorizontalPodAutoscaler that KEDA derives from it.",
    help="The ScaledObject has the name of the workload. KEDA puts keda-hpa- before it for the name of the "
    "HorizontalPodAutoscaler, and rejects the ScaledObject when the result has more than 63 characters.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
    ),
    check=_check,
)
