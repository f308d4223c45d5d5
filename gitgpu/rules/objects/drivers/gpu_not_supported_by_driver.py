"""A GPU that the GPU Operator's driver does not support."""

from collections.abc import Collection, Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.version import version
from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.node.gpu_pools import GpuPool
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.operator_drivers import driver_version, operator_drivers
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for release, pools, by_objects in operator_drivers(objects):
        installed = "" if by_objects else driver_version(release, objects)
        architectures = _architectures(release, installed, objects)
        if not architectures:
            continue
        for pool in pools:
            unsupported = _unsupported(pool, architectures)
            if unsupported:
                message = f"driver {installed} does not support the {unsupported} of NodePool {pool.name}"
                yield Finding(*release.located("driver", "version"), message, _remedy(release, pool, objects))


def _architectures(release: Release, version: str, objects: Objects) -> Collection[str]:
    driver = chart_row(release, objects)["driver"]
    # An NVIDIA driver branch is the first number of its versions: 580 of 580.95.05.
    branch = version.partition(".")[0].partition("-")[0]
    for row in (driver, *driver["alternatives"]):
        if row["version"].partition(".")[0] == branch:
            architectures: Collection[str] = row["architectures"]
            return architectures
    return ()


def _remedy(release: Release, pool: GpuPool, objects: Objects) -> str:
    """Suggests the newest driver of the release that supports every GPU of the pool, if there is one."""
    driver = chart_row(release, objects)["driver"]
    architectures = {sku.gpu.architecture for sku in pool.skus if sku.gpu}
    rows = (driver, *driver["alternatives"])
    supporting = [row["version"] for row in rows if architectures <= set(row["architectures"])]
    return (
        f'set driver: {{version: "{max(supporting, key=version)}"}}' if supporting else "choose sizes with newer GPUs"
    )


def _unsupported(pool: GpuPool, architectures: Collection[str]) -> str:
    """A GPU, if the driver supports none of the pool and the catalog knows all of them; otherwise ""."""
    gpus = [sku.gpu for sku in pool.skus]
    # Karpenter may choose a size whose GPU works.
    if not gpus or any(gpu is None or not gpu.architecture or gpu.architecture in architectures for gpu in gpus):
        return ""
    return next(f"{gpu.model} ({gpu.architecture})" for gpu in gpus if gpu)


RULE = Rule(
    code="STK011",
    name="gpu-not-supported-by-driver",
    twin="DRV004",
    severity=Severity.ERROR,
    summary="The driver that the GPU Operator installs does not support the GPUs of a NodePool.",
    help="Each driver branch supports a certain range of GPU generations. On such a node the driver does not load, "
    "and nvidia.com/gpu never appears.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/life-cycle-policy.rst",
    ),
    check=_check,
)
