"""A target without the group of pods that its kind needs, or with one that its kind does not have."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.kinds import (
    CRON_WORKFLOW,
    DYNAMO_GRAPH_DEPLOYMENT,
    JOB_SET,
    PIPELINE_RUN,
    RAY_CLUSTER,
    RAY_CRON_JOB,
    RAY_JOB,
    RAY_SERVICE,
    VOLCANO_JOB,
    WORKFLOW,
    WORKFLOW_TEMPLATE,
)
from gitgpu.objects.workload.known_kinds import target_group, target_shape
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose target names a group that cannot exist, or none where there is no default."""
    for workload in inputs.workloads:
        kind, group = workload.target_kind, workload.target_group
        groups = target_shape(workload).groups
        if groups is None and group:
            message = f"a {kind} has one group of pods, which has no name"
            yield Finding(workload.origin, ("spec", "target", "group"), message, "remove target.group")
        elif groups and not target_group(workload):
            message = f"a {kind} has several groups of pods, and the target names none"
            yield Finding(workload.origin, ("spec", "target"), message, f"set target.group to {_NAMES[kind]}")
        elif groups and groups.names is not None and group and group not in groups.names:
            message = f"a {kind} has no group '{group}'; it has {join_names(groups.names)}"
            remedy = f"set target.group to {' or '.join(groups.names)}"
            yield Finding(workload.origin, ("spec", "target", "group"), message, remedy)


_RAY = "head, or to the groupName of a group of workers"
# The names that groups have, by kind.
_NAMES = {
    RAY_CLUSTER.kind: _RAY,
    RAY_CRON_JOB.kind: _RAY,
    RAY_JOB.kind: _RAY,
    RAY_SERVICE.kind: _RAY,
    JOB_SET.kind: "the name of a replicated job",
    VOLCANO_JOB.kind: "the name of a task",
    PIPELINE_RUN.kind: "the name of a task of the pipeline",
    DYNAMO_GRAPH_DEPLOYMENT.kind: "the name of a component",
    **dict.fromkeys((WORKFLOW.kind, CRON_WORKFLOW.kind, WORKFLOW_TEMPLATE.kind), "the name of a template"),
}


RULE = Rule(
    code="SCH033",
    name="unknown-target-group",
    severity=Severity.ERROR,
    summary="A target names no group of pods although its kind has several, or one that its kind does not have.",
    help="Each group of pods has its own template: the head and the groups of workers of a RayCluster, the leader and "
    "the workers of a LeaderWorkerSet, the roles of a training job. A GpuWorkload places the pods of one group: "
    "groups can run on different pools. Kustomize does not report a name that the object lacks: it adds such a group, "
    "which the API server or the controller rejects.",
    sources=(
        "https://github.com/ray-project/kuberay/blob/feeaf72facab4881ba2b179248bb67315634e229/ray-operator/apis/ray/v1/raycluster_types.go",
        "https://github.com/kubernetes-sigs/lws/blob/060ab4da17eea1f0865fcbd3236bb1075e2cea32/api/leaderworkerset/v1/leaderworkerset_types.go",
    ),
    check=_check,
)
