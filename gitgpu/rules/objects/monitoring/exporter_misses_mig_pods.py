"""A DCGM exporter that is reported not to name the pods of MIG instances."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.image import short_name
from gitgpu.model.syntax.version import NUMBERS, version
from gitgpu.objects.monitoring.monitors import EXPORTER
from gitgpu.objects.monitoring.pod_mapping import maps_pods
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.mig_layouts import chosen_layout
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    if not _uses_mig(objects):
        return
    first = objects.catalog.must("features", "pods-of-mig-instances")["since"]
    for pod in pods(objects):
        for place, container in pod.containers():
            image = str(container.get("image") or "")
            tag = image.partition("@")[0].rpartition("/")[2].partition(":")[2]
            if short_name(image) != EXPORTER or maps_pods(container) is False or not NUMBERS.match(tag):
                continue
            if version(tag) < version(first):
                message = f"the exporter {tag} is reported not to name the pods of MIG instances"
                remedy = "use a newer release of the exporter"
                yield Finding(pod.item, (*place, "image"), message, remedy)


def _uses_mig(objects: Objects) -> bool:
    by_aks = any(pool.gpu_instance_profile for pool in agent_pools(objects))
    return by_aks or any(map(chosen_layout, gpu_pools(objects)))


RULE = Rule(
    code="MON097",
    name="exporter-misses-mig-pods",
    severity=Severity.WARNING,
    summary="A cluster has MIG instances, and an old DCGM exporter that is reported not to name their pods.",
    help="Metrics of MIG instances lack the labels pod, namespace and container, although those of whole GPUs "
    "have them. Reported for 3.3.0-3.2.0 on AKS; releases before 3.3.3 look instances up with a library that "
    "NVIDIA has given up. The current release has the labels.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/issues/577",
        "https://github.com/NVIDIA/dcgm-exporter/commit/a31eb164a558c83b8b315cab2de83cf8020f8325",
    ),
    facts=("features/pods-of-mig-instances",),
    check=_check,
)
