"""A job that nothing creates Jobs from."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with a job and another kind of target, or without scaling by KEDA."""
    for workload in inputs.workloads:
        if workload.job is None:
            continue
        if workload.target_kind != "Job":
            target = with_place(f"a {workload.target_kind}", workload.origin, ("spec", "target", "kind"))
            message = f"job has no effect, because the target is {target}"
            yield Finding(workload.origin, ("spec", "job"), message, "set target: {kind: Job}, or remove job")
        elif workload.scaling is None or workload.scaling.engine != "keda":
            message = "job has no effect: only KEDA creates Jobs from it, and KEDA does not scale this workload"
            needless = "job and scaling" if workload.scaling else "job"
            remedy = f"set scaling with engine: keda and triggers, or remove {needless} to patch an existing Job"
            yield Finding(workload.origin, ("spec", "job"), message, remedy)


RULE = Rule(
    code="SCL068",
    name="unused-job",
    severity=Severity.ERROR,
    summary="A workload has a job, but nothing creates Jobs from it.",
    help="job is the template from which a ScaledJob creates Jobs for waiting work. Without scaling by KEDA, or with "
    "a different kind of target, it has no effect.",
    sources=(
        "https://github.com/kedacore/keda-docs/blob/a55c5d345e2cbd9923ab4936f1cabc2a17e9abac/content/docs/2.20/concepts/scaling-jobs.md",
    ),
    check=_check,
)
