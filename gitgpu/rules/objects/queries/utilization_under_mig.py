"""GPU utilization of MIG instances, which is not available."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import SCALED_OBJECT
from gitgpu.model.names.prefixes import MIG_PREFIX
from gitgpu.objects.monitoring.queries import Query, queries
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import scaled_pods
from gitgpu.rules.object_rule import Finding, Rule

_OF_INSTANCES = "GPU_I_"  # labels of the DCGM exporter for MIG instances


def _check(objects: Objects) -> Iterator[Finding]:
    for query in queries(objects):
        for selector in query.of_dcgm:
            if selector.metric not in objects.catalog.must("dcgm", "fields")["notUnderMig"]:
                continue
            by_label = any(match.label.startswith(_OF_INSTANCES) and match.wants_label for match in selector.matchers)
            why = "selects MIG instances" if by_label else _slice_reason(query, objects)
            if why:
                message = f"the query {why}, which have no {selector.metric}"
                remedy = "use DCGM_FI_PROF_GR_ENGINE_ACTIVE, which ranges from 0 to 1"
                yield Finding(query.item, query.pointer, message, remedy)
                break


def _slice_reason(query: Query, objects: Objects) -> str:
    if query.item.identity.kind != SCALED_OBJECT.kind:  # only a scaler is about the pods of one workload
        return ""
    pod = scaled_pods(query.item, objects)
    for _, name, _ in pod.devices() if pod else ():
        if name.startswith(MIG_PREFIX):
            return f"scales pods with {name}"
    return ""


RULE = Rule(
    code="MON008",
    name="utilization-under-mig",
    severity=Severity.WARNING,
    summary="A query uses DCGM_FI_DEV_GPU_UTIL for MIG instances.",
    help="NVML measures utilization only for whole GPUs. With MIG the exporter does not export the field, and the "
    "query returns no data.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/issues/430",
        "https://github.com/NVIDIA/dcgm-exporter/issues/216",
    ),
    facts=("dcgm/fields",),
    check=_check,
)
