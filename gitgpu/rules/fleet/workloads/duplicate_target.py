"""Two workloads with the same target, and the same group of its pods, on one cluster."""

from collections import defaultdict
from collections.abc import Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Workload
from gitgpu.model.inputs import Inputs
from gitgpu.objects.workload.known_kinds import target_group, target_shape
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of
from gitgpu.spelling import join_names

WHERE = ("spec", "target", "name")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose target an earlier workload has, on a cluster that both run on."""
    targets: dict[tuple[str, str, str, str], list[Workload]] = defaultdict(list)
    for workload in inputs.workloads:
        earlier = targets[workload.namespace, _group(workload), workload.target_kind, workload.target_name]
        for other in filter(partial(_clash, workload), earlier):
            shared = sorted(_cluster_names(inputs, workload) & _cluster_names(inputs, other))
            if shared:
                target = f"the {workload.target_kind} {workload.target_name}"
                already = f"the GpuWorkload {other.name} ({other.origin.span(WHERE)})"
                message = f"{target} is already the target of {already} on {join_names(shared)}"
                group = " or target.group" if target_shape(workload).groups else ""
                remedy = f"name another target{group}, or merge the two GpuWorkloads"
                yield Finding(workload.origin, WHERE, message, remedy)
                break
        earlier.append(workload)


def _group(workload: Workload) -> str:
    """The group of the target's API."""
    return target_shape(workload).api_version.rpartition("/")[0]


def _clash(workload: Workload, other: Workload) -> bool:
    """Whether two workloads with one target patch the same pods, or would both scale it."""
    first, second = (target_group(each) for each in (workload, other))
    return first == second or (workload.scaling is not None and other.scaling is not None)


def _cluster_names(inputs: Inputs, workload: Workload) -> set[str]:
    return {cluster.name for cluster in clusters_of(inputs, workload)}


RULE = Rule(
    code="SCL010",
    name="duplicate-target",
    twin="KED001",
    severity=Severity.ERROR,
    summary="Two workloads have the same target on one cluster.",
    help="Each would patch the same pods with its own tolerations, pools and GPUs. KEDA rejects a second ScaledObject "
    "for the same target.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
    ),
    check=_check,
)
