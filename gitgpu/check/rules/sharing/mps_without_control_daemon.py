"""MPS needs the control daemon and device plugin that gitgpu installs."""

from collections.abc import Iterator

from gitgpu.check.clusters import pools_with_clusters
from gitgpu.check.drivers import driver_with_place, installers
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

WITHOUT = {"managed": "AKS manages the device plugin and runs no MPS daemon", "none": "driver is none"}
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4-mps}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  driver: managed
  partition: {mps: {replicas: 4}}
  limits: {gpus: 8}
"""
GOOD = BAD.replace("driver: managed", "driver: aks").replace("{mps:", "{timeSlicing:")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with MPS on clusters where gitgpu does not install the device plugin."""
    for pool, clusters in pools_with_clusters(inputs):
        for driver, names in sorted(installers(inputs, pool, clusters).items()) if pool.sharing.way == "mps" else ():
            if driver in WITHOUT:
                why = driver_with_place(inputs, pool, WITHOUT[driver])
                message = f"MPS has no effect on {join_names(names)}, where {why}"
                remedy = "set driver: aks or driver: operator, or remove partition"
                yield Finding(pool.origin, ("spec", "partition", "mps"), message, remedy)


RULE = Rule(
    code="DRV018",
    name="mps-without-control-daemon",
    severity=Severity.ERROR,
    summary="A pool uses MPS where gitgpu installs no MPS control daemon.",
    help="MPS needs a daemon on the node and a device plugin that connects pods to it. On managed GPU nodes the "
    "plugin is a systemd unit that cannot be configured from Kubernetes, and there is no daemon. With driver: none "
    "you install both yourself.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/internal/plugin/mps.go",
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh",
    ),
    check=_check,
    bad=BAD,
    good=GOOD,
)
