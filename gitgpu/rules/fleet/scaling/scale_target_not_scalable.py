"""A Job with scaling and no job to create Jobs from."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with scaling whose target is a Job, without the spec of the Job to create."""
    for workload in inputs.workloads:
        if workload.scaling and workload.target_kind == "Job" and workload.job is None:
            job = with_place(f"the Job {workload.target_name}", workload.origin, ("spec", "target", "kind"))
            message = f"{job} has no replicas that KEDA can change"
            remedy = (
                "put the spec of the Job under job, from which KEDA creates Jobs for waiting work, or remove scaling"
            )
            yield Finding(workload.origin, ("spec", "scaling"), message, remedy)


RULE = Rule(
    code="SCL009",
    name="scale-target-not-scalable",
    twin="KED023",
    severity=Severity.ERROR,
    summary="A workload scales a Job, but has no job to create Jobs from.",
    help="A ScaledObject acts on the scale subresource of its target, which Deployments and StatefulSets have and Jobs "
    "do not. A ScaledJob creates new Jobs instead, and contains their spec.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/controllers/keda/scaledobject_controller.go",
    ),
    check=_check,
)
