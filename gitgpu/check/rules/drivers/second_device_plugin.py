"""A pool's device plugin is of whoever brings the driver, but for driver none."""

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
metadata: {name: mi300x}
spec:
  clusters: [prod-swc]
  sku: Standard_ND96isr_MI300X_v5
  driver: operator
  devicePlugin: true
  limits: {gpus: 8}
"""
GOOD = BAD.replace("driver: operator", "driver: none")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that ask for a device plugin, on clusters where the driver's owner brings one."""
    for pool, clusters in pools_with_clusters(inputs):
        for driver, names in sorted(installers(inputs, pool, clusters).items()) if pool.device_plugin else ():
            if driver != "none" and not pool.windows:
                brought = driver_with_place(inputs, pool, f"driver {driver}")
                message = f"with {brought} a device plugin comes along on {join_names(names)}, and this is a second"
                remedy = "leave devicePlugin out, or write driver: none where somebody else brings the driver alone"
                yield Finding(pool.origin, ("spec", "devicePlugin"), message, remedy)


RULE = Rule(
    code="DRV100",
    name="second-device-plugin",
    severity=Severity.ERROR,
    summary="The pool asks for a device plugin, and whoever installs its driver brings one.",
    help="Two plugins that advertise the GPUs of a node do not know of each other: the one that registered last is "
    "asked. Only where the driver is none does gitgpu leave the GPUs to somebody else, who may bring no plugin.",
    sources=(
        "https://github.com/ROCm/gpu-operator/blob/858cf255c7dd27cebf1cc5db400eee3aa06ecbbc/internal/plugin/plugin.go",
        "https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
