"""A pool's GPUs must be of an architecture that its driver still supports."""

from collections.abc import Iterator
from functools import partial

from gitgpu.check.clusters import spread
from gitgpu.check.drivers import installed, installers, place
from gitgpu.check.phrase import listed
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.sizes import wrong
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku

REMEDIES = {"operator": "write driver: aks, whose driver may still know it, or take a size with a newer GPU"}


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool, clusters in spread(inputs):
        for driver, names in installers(pool, clusters).items():
            too_old = partial(_unknown, inputs.catalog, pool, driver)
            for where, sizes in wrong(pool, inputs.catalog, lambda sku, too_old=too_old: too_old(sku) is not None):
                fault = next(filter(None, map(too_old, pool.skus)))
                message = f"{sizes}: {fault} ({listed(names)})"
                remedy = REMEDIES.get(driver, "take a size with a newer GPU")
                yield Finding(pool.origin, place(pool, where), message, remedy)


def _unknown(catalog: Catalog, pool: Pool, driver: str, sku: Sku) -> str | None:
    """Which driver does not know which architecture; None where all is well or nothing is known."""
    found = installed(driver, pool, sku, catalog)
    if not found or not found.architectures or not sku.gpu or sku.gpu.architecture in found.architectures:
        return None
    return f"driver {found.version}, which {found.owner} installs, no longer supports {sku.gpu.architecture}"


RULE = Rule(
    code="DRV004",
    name="gpu-unknown-to-driver",
    severity=Severity.ERROR,
    summary="The pool's driver does not support the architecture of its GPUs.",
    help="NVIDIA ends support for old architectures with a driver branch. A newer driver loads and finds no GPU, so the "
    "node never advertises one.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/platform-support.rst",
    ),
    check=_check,
    bad="""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: v100}
spec:
  clusters: [prod-swc]
  sku: Standard_ND40rs_v2
  driver: operator
  limits: {gpus: 8}
""",
    good="""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: v100}
spec:
  clusters: [prod-swc]
  sku: Standard_ND40rs_v2
  driver: aks
  limits: {gpus: 8}
""",
)
