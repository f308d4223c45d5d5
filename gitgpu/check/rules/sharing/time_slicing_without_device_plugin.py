"""Time-slicing needs the device plugin that gitgpu configures."""

from collections.abc import Iterator

from gitgpu.check.clusters import pools_with_clusters
from gitgpu.check.drivers import driver_with_place, installers
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4-share}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  driver: managed
  partition: {timeSlicing: {replicas: 4}}
  limits: {gpus: 8}
"""
WITHOUT = {"managed": "AKS manages the device plugin", "none": "driver is none"}


def _check(inputs: Inputs) -> Iterator[Finding]:
    where = ("spec", "partition", "timeSlicing")
    for pool, clusters in pools_with_clusters(inputs):
        for driver, names in (
            sorted(installers(inputs, pool, clusters).items()) if pool.sharing.way == "timeSlicing" else ()
        ):
            if driver in WITHOUT:
                why = driver_with_place(inputs, pool, WITHOUT[driver])
                message = f"time-slicing has no effect on {join_names(names)}, where {why}"
                remedy = "set driver: aks or driver: operator, or remove partition"
                yield Finding(pool.origin, where, message, remedy)


RULE = Rule(
    code="DRV006",
    name="time-slicing-without-device-plugin",
    severity=Severity.ERROR,
    summary="A pool asks for time-slicing where gitgpu configures no device plugin.",
    help="On managed GPU nodes the device plugin is a systemd unit that cannot be configured from Kubernetes: each "
    "node advertises whole GPUs, and pods that rely on shares stay Pending. With driver: none you install and "
    "configure the plugin yourself.",
    sources=(
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh",
        "https://learn.microsoft.com/azure/aks/aks-managed-gpu-nodes",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("driver: managed", "driver: aks"),
)
