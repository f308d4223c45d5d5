"""A device plugin chart that needs node labels that nothing sets."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import GPU_PRESENT_LABEL
from gitgpu.objects.gitops.chart_values import PLUGIN, effective_value
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.coverage import has_discovery
from gitgpu.objects.software.daemons import Daemon, daemons
from gitgpu.objects.software.tolerating import tolerate, value_with_tolerations
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    waiting_releases = [
        release for release in releases(objects, PLUGIN) if release.whole and _needs_labels(release, objects)
    ]
    # The GPU Operator's driver DaemonSet shows that the operator is there, which sets gpu.present.
    if not waiting_releases or any(daemons(objects, "driver")):
        return
    workers = list(daemons(objects, "feature-discovery"))
    pools = [pool for pool in gpu_pools(objects) if _is_unlabelled(pool, workers, objects)]
    if not pools:
        return
    for release in waiting_releases:
        names = ", ".join(pool.name for pool in pools)
        doubt = "" if objects.closed else ", unless something outside these files sets them"
        message = (
            f"the device plugin needs labels of Node Feature Discovery that the nodes of NodePool {names} do not "
            f"get{doubt}"
        )
        taints = [taint for pool in pools for taint in pool.pool.taints]
        how = tolerate(workers, taints, objects) if workers else _with_discovery(release, taints, objects)
        remedy = f'{how}, or add the label {GPU_PRESENT_LABEL}: "true" to the template of the NodePool'
        yield Finding(*release.locate("gfd", "enabled"), message, remedy.removeprefix(", or "))


def _is_unlabelled(pool: GpuPool, workers: Collection[Daemon], objects: Objects) -> bool:
    """Whether neither its template nor Node Feature Discovery gives the nodes of the pool the label."""
    if pool.maker != "nvidia" or _has_label(pool):
        return False
    return not workers or has_discovery(pool, objects) is False


def _with_discovery(release: Release, taints: Sequence[Mapping[str, Any]], objects: Objects) -> str:
    """The values with which the chart installs Node Feature Discovery on nodes with these taints."""
    tolerations = value_with_tolerations(release, "nfd.worker", taints, objects)
    return f"set gfd.enabled: true and {tolerations}" if tolerations else "set gfd.enabled: true"


def _needs_labels(release: Release, objects: Objects) -> bool:
    on = effective_value(release, objects, "devicePlugin", "enabled") is True
    # A null removes the default affinity, and other values replace it.
    return on and release.value("affinity") is None and "affinity" not in release.values


def _has_label(pool: GpuPool) -> bool:
    label = pool.label(GPU_PRESENT_LABEL)
    return label is not None and label.takes("true")


RULE = Rule(
    code="STK012",
    name="device-plugin-without-node-labels",
    severity=Severity.WARNING,
    summary="The chart of the device plugin needs labels of Node Feature Discovery, which does not run on the nodes.",
    help="The default affinity of the chart requires the PCI label of Node Feature Discovery, or "
    "nvidia.com/gpu.present. With gfd.enabled the chart installs Node Feature Discovery, whose worker tolerates "
    "only the taint nvidia.com/gpu=present. Without either label, the DaemonSet has no pods.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/deployments/helm/nvidia-device-plugin/values.yaml",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/deployments/helm/nvidia-device-plugin/Chart.yaml",
    ),
    check=_check,
)
