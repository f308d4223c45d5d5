"""A pool must not ask for time-slicing where gitgpu configures no device plugin."""

from collections.abc import Iterator

from gitgpu.check.clusters import pools_with_clusters
from gitgpu.check.drivers import driver_with_place, installers
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

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
                remedy = "write driver: aks or driver: operator, or leave partition out"
                yield Finding(pool.origin, where, message, remedy)


RULE = Rule(
    code="DRV006",
    name="time-slicing-that-nobody-does",
    severity=Severity.ERROR,
    summary="The pool asks for time-slicing where gitgpu configures no device plugin.",
    help="On managed GPU nodes the device plugin is a systemd unit, whose configuration nothing in Kubernetes reaches: "
    "each node would advertise its whole GPUs, and pods that count on shares stay pending. Where the driver is none, "
    "somebody else brings the plugin and its configuration.",
    sources=(
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh",
        "https://learn.microsoft.com/azure/aks/aks-managed-gpu-nodes",
    ),
    check=_check,
    bad="""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4-share}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  driver: managed
  partition: {timeSlicing: {replicas: 4}}
  limits: {gpus: 8}
""",
    good="""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4-share}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  driver: aks
  partition: {timeSlicing: {replicas: 4}}
  limits: {gpus: 8}
""",
)
