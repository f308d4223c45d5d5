"""A workload that scales on a GPU metric that nothing exports for one of its pools."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import Cluster, Pool, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.drivers import driver_place
from gitgpu.rules.inputs.exported_metrics import DRIVER, ExportGap, export_gap
from gitgpu.rules.inputs.scaled_workloads import clusters_of, gpu_signals
from gitgpu.source import Pointer
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that scale on a metric that some of their pods never have."""
    for workload, signal, row in gpu_signals(inputs):
        for gap, places in _gaps(inputs, workload, clusters_of(inputs, workload), row).items():
            pools, names = (list(dict.fromkeys(column)) for column in zip(*places, strict=True))
            message = f"nothing exports {signal.metric} for pool {join_names(pools)} on {join_names(names)}: {gap.why}"
            yield Finding(workload.origin, (*signal.place, "metric"), message, gap.remedy)


def _gaps(
    inputs: Inputs, workload: Workload, clusters: tuple[Cluster, ...], row: Facts
) -> dict[ExportGap, list[tuple[str, str]]]:
    """Each reason, with the pools and clusters to which it applies."""
    gaps: dict[ExportGap, list[tuple[str, str]]] = {}
    for cluster in clusters:
        for pool in inputs.pools_of(workload):
            gap = export_gap(inputs, row, cluster, pool) if cluster.name in pool.clusters else None
            if gap:
                gaps.setdefault(gap, []).append((pool.name, _cluster_with_place(cluster, pool, gap.key)))
    return gaps


def _cluster_with_place(cluster: Cluster, pool: Pool, key: Pointer) -> str:
    """The cluster, with the place of the value that prevents the metric."""
    place = driver_place(cluster, pool) if key == DRIVER else stack_place(cluster, *key)
    return with_place(cluster.name, *place) if key else cluster.name


RULE = Rule(
    code="SCL005",
    name="metric-not-exported",
    severity=Severity.ERROR,
    summary="A workload scales on a GPU metric that nothing exports for its pods.",
    help="The query has no result. For a workload that always has a pod, gitgpu writes ignoreNullValues: false: KEDA "
    "reports an error, and the replicas do not change. If the workload can scale to zero, KEDA reads the empty "
    "result as 0, and the workload stays at its minimum replicas without an error. The metric needs an exporter "
    "that maps GPUs to pods, a scrape, the DCGM fields it is computed from, and GPUs that have them. The exporter "
    "of AKS managed GPU nodes runs outside Kubernetes and does not map GPUs to pods. For AMD GPUs in a VM, only "
    "some metrics are known to exist.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://learn.microsoft.com/azure/aks/aks-managed-gpu-nodes",
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh",
        "https://github.com/ROCm/device-metrics-exporter/blob/ad44c717b8567ce18c0ceb0c6dc550dc991eb246/docs/configuration/metricslist.md",
    ),
    facts=("metrics",),
    check=_check,
)
