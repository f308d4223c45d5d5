"""A workload name that makes the name of its HorizontalPodAutoscaler too long."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule

PREFIX = "keda-hpa-"  # what KEDA puts before the name of the ScaledObject
MAX_LENGTH = 63 - len(PREFIX)  # KEDA takes the name as a label value too, and label values have at most 63 characters


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose name makes the name of the HorizontalPodAutoscaler too long."""
    for workload in inputs.workloads:
        length = len(workload.name)
        # KEDA creates no HorizontalPodAutoscaler for a ScaledJob.
        if workload.scaling and workload.scaling.engine == "keda" and workload.job is None and length > MAX_LENGTH:
            message = (
                f"the name has {length} characters, {length + len(PREFIX)} with '{PREFIX}'; at most 63 are allowed"
            )
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
