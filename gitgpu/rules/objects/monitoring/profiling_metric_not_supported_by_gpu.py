"""Profiling metrics of GPUs that do not support profiling."""

from collections.abc import Collection, Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.profiling import PROFILING
from gitgpu.model.sku import Gpu
from gitgpu.objects.monitoring.queries import Query, queries
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_OF_AMD = "use a metric of AMD's exporter, such as gpu_gfx_activity"  # DCGM is for NVIDIA GPUs
_OF_NVIDIA = "use a DCGM_FI_DEV_ field, such as DCGM_FI_DEV_GPU_UTIL"


def _check(objects: Objects) -> Iterator[Finding]:
    profiling = [(query, _profiling_metric(query)) for query in queries(objects)]
    asking = [(query, metric) for query, metric in profiling if metric]
    gpus = _without_profiling(objects) if asking else ()
    if not gpus:
        return
    names = ", ".join(sorted({gpu.name for gpu in gpus}))
    all_amd = all(gpu.manufacturer == "amd" for gpu in gpus)
    for query, metric in asking:
        message = f"no GPU pool has GPUs that support {metric}; their GPUs are: {names}"
        yield Finding(query.item, query.pointer, message, _OF_AMD if all_amd else _OF_NVIDIA)


def _without_profiling(objects: Objects) -> Collection[Gpu]:
    """The GPUs of all GPU pools, if none of them supports profiling metrics; () if one may."""
    gpus: list[Gpu] = []
    for pool in gpu_pools(objects):
        for sku in pool.skus:
            if sku.gpu is None or sku.gpu.profiling is not False:  # null is unknown
                return ()
            gpus.append(sku.gpu)
        if not pool.skus:  # its sizes are unknown
            return ()
    return gpus


def _profiling_metric(query: Query) -> str:
    return next((selector.metric for selector in query.of_dcgm if selector.metric.startswith(PROFILING)), "")


RULE = Rule(
    code="MON009",
    name="profiling-metric-not-supported-by-gpu",
    severity=Severity.WARNING,
    summary="A query uses a DCGM_FI_PROF_ metric, but no GPU pool has GPUs that support DCGM profiling.",
    help="The profiling module supports NVIDIA data-centre GPUs from Volta onwards. On others the exporter skips "
    "its fields.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
        "https://docs.nvidia.com/datacenter/dcgm/latest/user-guide/feature-overview.html",
    ),
    check=_check,
)
