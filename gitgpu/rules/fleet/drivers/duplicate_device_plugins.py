"""The installer of the driver also installs the device plugin, except with driver: none."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.rules.inputs.drivers import driver_with_place, installers
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with devicePlugin on clusters where the installer of the driver also installs a plugin."""
    for pool, clusters in pools_with_clusters(inputs):
        if not pool.device_plugin:
            continue
        for driver, names in sorted(installers(inputs, pool, clusters).items()):
            # DRV101 reports Windows.
            if driver != "none" and not pool.windows:
                driver_key = driver_with_place(pool, f"driver: {driver}")
                message = f"{driver_key} on {join_names(names)} already includes a device plugin"
                remedy = "remove devicePlugin, or set driver: none if you install only the driver yourself"
                yield Finding(pool.origin, ("spec", "devicePlugin"), message, remedy)


RULE = Rule(
    code="DRV100",
    name="duplicate-device-plugins",
    twin="STK001",
    severity=Severity.ERROR,
    summary="A pool sets devicePlugin where its driver already includes a device plugin.",
    help="Two plugins that advertise the GPUs of a node are not aware of each other: the kubelet uses the one that "
    "registered last. gitgpu leaves the device plugin to you only with driver: none.",
    sources=(
        "https://github.com/ROCm/gpu-operator/blob/858cf255c7dd27cebf1cc5db400eee3aa06ecbbc/internal/plugin/plugin.go",
        "https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/",
    ),
    check=_check,
)
