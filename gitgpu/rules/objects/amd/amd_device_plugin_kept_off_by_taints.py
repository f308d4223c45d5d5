"""Taints of a pool that keep the AMD device plugin, or Node Feature Discovery, off its nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import DEVICE_CONFIG
from gitgpu.model.names.prefixes import NFD_PREFIX
from gitgpu.objects.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.coverage import has_discovery
from gitgpu.objects.software.daemons import Daemon, daemons
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.taint import untolerated_taints


def _check(objects: Objects) -> Iterator[Finding]:
    plugins, workers = list(daemons(objects, "amd-device-plugin")), list(daemons(objects, "feature-discovery"))
    if not plugins:
        return
    for pool in gpu_pools(objects):
        # A plugin that selects nodes by another label may be for other pools.
        if pool.maker == "amd" and all(_needs_labels(daemon) for daemon in plugins):
            if all(_barred(daemon, pool) for daemon in plugins):
                yield _finding(plugins[0], pool)
            elif workers and has_discovery(pool, objects) is False:
                message = (
                    f"Node Feature Discovery does not run on the nodes of NodePool {pool.name}, and without its labels"
                )
                message += f" {plugins[0].title} does not select them"
                remedy = "configure the workers of Node Feature Discovery to tolerate and select these nodes"
                yield Finding(plugins[0].item, ("spec", "selector"), message, remedy, at_key=True)


def _needs_labels(daemon: Daemon) -> bool:
    """Whether it is from a DeviceConfig that selects nodes by a label of Node Feature Discovery."""
    selector = (daemon.pod.spec.get("nodeSelector") if daemon.pod else None) or {}
    return daemon.item.identity.kind == DEVICE_CONFIG.kind and any(key.startswith(NFD_PREFIX) for key in selector)


def _barred(daemon: Daemon, pool: GpuPool) -> bool:
    return bool(daemon.pod and untolerated_taints(pool.pool.taints, daemon.pod.tolerations))


def _finding(daemon: Daemon, pool: GpuPool) -> Finding:
    taint = (untolerated_taints(pool.pool.taints, daemon.pod.tolerations) if daemon.pod else [{}])[0]
    message = f"the AMD device plugin does not tolerate the taint {taint.get('key')} of NodePool {pool.name}"
    remedy = (
        f"add {{key: {taint.get('key')}, operator: Exists, effect: {taint.get('effect')}}} to devicePluginTolerations"
    )
    return Finding(daemon.item, ("spec", "devicePlugin"), message, remedy, at_key=True)


RULE = Rule(
    code="STK091",
    name="amd-device-plugin-kept-off-by-taints",
    severity=Severity.ERROR,
    summary="Taints of a NodePool with AMD GPUs keep the AMD device plugin or Node Feature Discovery off its nodes.",
    help="Without the device plugin the kubelet never advertises amd.com/gpu: pods that request it stay Pending, and "
    "Karpenter waits for a node that is never initialized. The DeviceConfig sets the tolerations of the plugin. The "
    "plugin selects nodes by labels of Node Feature Discovery, whose tolerations come from the values of the chart.",
    sources=(
        "https://github.com/ROCm/gpu-operator/blob/6df13c1788c99dca734337287ebd317b15df9c71/helm-charts-k8s/values.yaml",
        "https://github.com/ROCm/gpu-operator/blob/6df13c1788c99dca734337287ebd317b15df9c71/docs/usage.rst",
    ),
    check=_check,
)
