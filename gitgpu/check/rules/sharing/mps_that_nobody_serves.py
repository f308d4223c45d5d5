"""A pool must not share GPUs by MPS where gitgpu brings no MPS control daemon."""

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


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that share GPUs by MPS, on clusters where somebody else brings the device plugin."""
    for pool, clusters in pools_with_clusters(inputs):
        for driver, names in sorted(installers(inputs, pool, clusters).items()) if pool.sharing.way == "mps" else ():
            if driver in WITHOUT:
                why = driver_with_place(inputs, pool, WITHOUT[driver])
                message = f"MPS has no effect on {join_names(names)}, where {why}"
                remedy = "write driver: aks or driver: operator, or leave partition out"
                yield Finding(pool.origin, ("spec", "partition", "mps"), message, remedy)


RULE = Rule(
    code="DRV018",
    name="mps-that-nobody-serves",
    severity=Severity.ERROR,
    summary="The pool shares GPUs by MPS where gitgpu brings no MPS control daemon.",
    help="MPS needs a daemon on the node, and a device plugin that leads pods to it. On managed GPU nodes the plugin "
    "is a systemd unit, whose configuration nothing in Kubernetes reaches, and there is no daemon. Where the driver is "
    "none, somebody else brings both.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/internal/plugin/mps.go",
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
