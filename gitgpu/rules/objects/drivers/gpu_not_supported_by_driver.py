"""A GPU that the driver of the GPU Operator or of an NVIDIADriver does not support."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import list_at, mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.names.kinds import NVIDIA_DRIVER
from gitgpu.model.syntax.version import version
from gitgpu.objects.gitops.chart_values import chart_row, operators
from gitgpu.objects.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.software.coverage import has_label, selects
from gitgpu.objects.software.operator_drivers import OperatorDriver, driver_version, operator_drivers
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.taint import untolerated_taints

_OTHER_SIZES = "choose sizes with newer GPUs"


def _check(objects: Objects) -> Iterator[Finding]:
    drivers = list(operator_drivers(objects))
    for release, pools, by_objects in drivers:
        if not by_objects:
            installed, driver = driver_version(release, objects), chart_row(release, objects)["driver"]
            for pool, gpu in _wrong_pools(installed, pools, driver):
                newest = _newest_driver(pool, driver)
                remedy = f'set driver: {{version: "{newest}"}}' if newest else _OTHER_SIZES
                yield Finding(*release.locate("driver", "version"), _message(installed, gpu, pool), remedy)
    for item in objects.of(*NVIDIA_DRIVER):
        yield from _driver_findings(item, drivers, objects)


def _driver_findings(item: Item, drivers: Sequence[OperatorDriver], objects: Objects) -> Iterator[Finding]:
    """An NVIDIADriver that selects a pool. Without a selector, it is for nodes that no other one selects."""
    spec = mapping_at(item.body, "spec")
    driver = objects.catalog.must("charts", "gpu-operator")["driver"]
    installed = str(spec.get("version") or "")
    chosen_pools = [pool for pool in _pools_of_objects(drivers, objects) if _selects(spec, pool, objects)]
    for pool, gpu in _wrong_pools(installed, chosen_pools, driver):
        newest = _newest_driver(pool, driver)
        wanted = _branch(newest) if spec.get("usePrecompiled") else newest
        remedy = f'set version: "{wanted}"' if newest else _OTHER_SIZES
        yield Finding(item, ("spec", "version"), _message(installed, gpu, pool), remedy)


def _pools_of_objects(drivers: Iterable[OperatorDriver], objects: Objects) -> Iterator[GpuPool]:
    """The pools whose driver an operator leaves to NVIDIADrivers; all without a driver, if no operator is known."""
    if any(operators(objects)):
        yield from (pool for _, pools, by_objects in drivers if by_objects for pool in pools)
        return
    chart = objects.catalog.must("charts", "gpu-operator")
    (daemon,) = (part for part in chart["daemons"] if part["provides"] == "driver")
    for pool in gpu_pools(objects):
        opted_out = any(has_label(pool, *label) for label in daemon["optOut"].items())
        if pool.maker == "nvidia" and pool.mode == "None" and not opted_out:
            yield pool


def _selects(spec: Mapping[str, Any], pool: GpuPool, objects: Objects) -> bool:
    """Whether the driver of an NVIDIADriver runs on the nodes of a pool."""
    selector, tolerations = mapping_at(spec, "nodeSelector"), list_at(spec, "tolerations")
    tolerated = not untolerated_taints(pool.pool.taints, tolerations)
    is_chosen = bool(selector) and selects(selector, pool, objects) is True
    return spec.get("driverType", "gpu") == "gpu" and tolerated and is_chosen


def _wrong_pools(installed: str, pools: Iterable[GpuPool], driver: Facts | None) -> Iterator[tuple[GpuPool, str]]:
    """The pools with no GPU that the driver supports, each with one of its GPUs; none if no driver is known."""
    if driver is None:
        return
    # An NVIDIA driver branch is the first number of its versions: 580 of 580.95.05.
    branch = _branch(installed)
    rows = (driver, *driver["alternatives"])
    architectures = next((row["architectures"] for row in rows if _branch(row["version"]) == branch), ())
    for pool in pools if architectures else ():
        if gpu := _unsupported(pool, architectures):
            yield pool, gpu


def _branch(driver_version: str) -> str:
    return driver_version.partition(".")[0].partition("-")[0]


def _message(installed: str, gpu: str, pool: GpuPool) -> str:
    return f"driver {installed} does not support the {gpu} of NodePool {pool.name}"


def _newest_driver(pool: GpuPool, driver: Facts) -> str:
    """The newest driver of the release that supports every GPU of the pool; "" if there is none."""
    architectures = {sku.gpu.architecture for sku in pool.skus if sku.gpu}
    rows = (driver, *driver["alternatives"])
    supporting = [row["version"] for row in rows if architectures <= set(row["architectures"])]
    return max(supporting, key=version, default="")


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
    summary="The driver that the GPU Operator or an NVIDIADriver installs does not support the GPUs of a NodePool.",
    help="Each driver branch supports a certain range of GPU generations. On such a node the driver does not load, "
    "and nvidia.com/gpu never appears.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/life-cycle-policy.rst",
    ),
    facts=("charts/gpu-operator",),
    check=_check,
)
