"""Scaling of a kind that has no replicas that an autoscaler can change, such as a Job without `job`."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import with_place
from gitgpu.objects.workload.known_kinds import target_shape
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with scaling whose target cannot be scaled, without the spec of a Job to create."""
    for workload in inputs.workloads:
        kind = workload.target_kind
        if workload.scaling and not target_shape(workload).scales and workload.job is None:
            target = with_place(f"the {kind} {workload.target_name}", workload.origin, ("spec", "target", "kind"))
            message = f"{target} has no replicas that KEDA can change"
            job = "put the spec of the Job under job, from which KEDA creates Jobs for waiting work, or "
            remedy = f"{job if kind == 'Job' else ''}remove scaling"
            yield Finding(workload.origin, ("spec", "scaling"), message, remedy)


RULE = Rule(
    code="SCL009",
    name="scale-target-not-scalable",
    twin="KED023",
    severity=Severity.ERROR,
    summary="A workload scales a kind that cannot be scaled, or a Job without job to create Jobs from.",
    help="A ScaledObject acts on the scale subresource of its target. Of the kinds of targets, only Deployments, "
    "StatefulSets, Rollouts and LeaderWorkerSets have it. A ScaledJob creates new Jobs, and contains their spec. Ray "
    "and KServe scale their own pods: set that in the object.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/controllers/keda/scaledobject_controller.go",
        "https://github.com/kubernetes-sigs/lws/blob/060ab4da17eea1f0865fcbd3236bb1075e2cea32/api/leaderworkerset/v1/leaderworkerset_types.go",
    ),
    check=_check,
)
