"""A target whose object has no place for a setting that the pods need on their pools."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import is_claimed
from gitgpu.model.fleet import Workload
from gitgpu.model.inputs import Inputs
from gitgpu.objects.workload.known_kinds import target_shape
from gitgpu.objects.workload.shape import AFFINITY, CAPABILITIES, CLAIMS, PRIORITY, SCHEDULER
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of
from gitgpu.source import Pointer


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that need what the object of their target cannot say about its pods."""
    for workload in inputs.workloads:
        lacks = target_shape(workload).lacks
        for key, why, at in _needs(inputs, workload) if lacks else ():
            if key in lacks:
                kind = workload.target_kind
                message = f"a {kind} has no field for {key} of its pods, and {why}"
                remedy = "choose other pools or settings, or run the pods in a kind with a pod template, such as a Job"
                yield Finding(workload.origin, at, message, remedy)
                break


def _needs(inputs: Inputs, workload: Workload) -> Iterator[tuple[str, str, Pointer]]:
    """The settings that the pods need, why, and where the spec says so."""
    pools, clusters, at = inputs.pools_of(workload), clusters_of(inputs, workload), ("spec", "pools")
    if len(pools) > 1:
        yield AFFINITY, f"{workload.name} has {len(pools)} pools, which only an affinity can name", at
    claimed = any(is_claimed(cluster, pool) for cluster in clusters for pool in pools)
    if claimed or workload.compute_domain:
        yield CLAIMS, "the GPUs of its pools are claimed", at
    if workload.rdma:
        yield CAPABILITIES, "InfiniBand needs the capability IPC_LOCK", ("spec", "rdma")
    if workload.priority:
        yield PRIORITY, "the workload has a priority", ("spec", "priority")
    if any(cluster.binpack for cluster in clusters):
        yield SCHEDULER, "binpack selects a scheduler", at


RULE = Rule(
    code="SCH035",
    name="target-without-field",
    severity=Severity.ERROR,
    summary="A target has no field for a setting that its pods need.",
    help="Some kinds have no pod template, only a few fields for GPUs, node selectors and tolerations: a "
    "ModelDeployment has no affinity, and a TaskRun, a SparkApplication or a NIMService has no ResourceClaims for its "
    "pods. The settings that the pool needs cannot be written there.",
    sources=(
        "https://github.com/kaito-project/airunway/blob/3f186351b76775ff73541212e1aee1fffbb25ca9/controller/config/crd/bases/airunway.ai_modeldeployments.yaml",
        "https://github.com/tektoncd/pipeline/blob/3ee1745ae5b2d9175b11917d7c1935eaad44910c/config/300-crds/300-taskrun.yaml",
    ),
    check=_check,
)
