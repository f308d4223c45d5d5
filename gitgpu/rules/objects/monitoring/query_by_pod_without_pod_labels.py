"""A query by pod on a cluster whose exporters do not set pod labels."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.monitoring.monitors import endpoints, exporter_rows
from gitgpu.objects.monitoring.queries import POD_LABELS, queries
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule

_LABELS = (*POD_LABELS, "namespace", "exported_namespace")
_IMAGE = "dcgm-exporter"


def _check(objects: Objects) -> Iterator[Finding]:
    every_query = list(queries(objects))
    pools = gpu_pools(objects) if every_query else ()
    # Any other exporter may set these labels.
    if not pools or not all(pool.managed for pool in pools) or _has_other_exporter(objects):
        return
    unsure = "" if objects.closed else "; the cluster may have another exporter"
    for query in every_query:
        label = next((matcher.label for matcher in query.dcgm_matchers if matcher.label in _LABELS), "")
        if label:
            message = f"on AKS-managed GPU nodes no DCGM metric has the label '{label}'{unsure}"
            remedy = "scale on requests or a queue, or run your own exporter on unmanaged GPU nodes"
            yield Finding(query.item, query.pointer, message, remedy)


def _has_other_exporter(objects: Objects) -> bool:
    if any(endpoint.of_dcgm for endpoint in endpoints(objects)):
        return True
    charts = [row["chart"] for row in exporter_rows(objects)]
    if any(True for _ in releases(objects, *charts)):
        return True
    containers = chain.from_iterable(pod.containers() for pod in pods(objects))
    return any(_IMAGE in str(container.get("image")) for _, container in containers)


RULE = Rule(
    code="MON007",
    name="query-by-pod-without-pod-labels",
    twin="SCL026",
    severity=Severity.WARNING,
    summary="A query selects DCGM metrics by pod or namespace, but all GPU pools use the exporter of AKS.",
    help="AKS runs the exporter as a system service that does not map GPUs to pods, and its agent keeps only the "
    "labels cluster, instance, gpu and job.",
    sources=(
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh",
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/configmapparser/default-prom-configs/dcgmExporterDefault.yml",
        "https://learn.microsoft.com/azure/aks/aks-managed-gpu-nodes",
    ),
    facts=("exporters",),
    check=_check,
)
