"""A job without the container that gets the GPUs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose job does not have the container that gets the GPUs."""
    for workload in inputs.workloads:
        if not workload.job:
            continue
        names = [container["name"] for container in workload.job["template"]["spec"]["containers"]]
        container = workload.container or workload.target_name
        if container not in names:
            message = f"the job has no container '{container}', which would get the GPUs; it has {join_names(names)}"
            remedy = "set target.container to the name of one of them"
            yield Finding(workload.origin, ("spec", "job", "template", "spec", "containers"), message, remedy)


RULE = Rule(
    code="SCL069",
    name="job-without-gpu-container",
    severity=Severity.ERROR,
    summary="A job lacks the container that gets the GPUs.",
    help="gitgpu gives the GPUs to one container: the one with the name of the target, or the one that "
    "target.container names.",
    sources=("https://kubernetes.io/docs/concepts/workloads/controllers/job/",),
    check=_check,
)
