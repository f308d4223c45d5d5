"""The driver type of a Windows pool must support its GPUs."""

from collections.abc import Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import windows_driver
from gitgpu.model.catalog import Catalog
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import windows_pools
from gitgpu.rules.inputs.requested_sizes import wrong_sizes


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Windows pools with a driver type that Microsoft does not list for their GPUs."""
    for pool, _ in windows_pools(inputs):
        for where, names in wrong_sizes(
            pool, inputs.catalog, partial(_is_unsupported, inputs.catalog, pool.driver_type)
        ):
            sizes = with_place(names, pool.origin, where)
            message = f"Microsoft does not list a {pool.driver_type} driver for the GPUs of {sizes} on Windows"
            yield Finding(pool.origin, ("spec", "driverType"), message, "remove driverType, or use another size")


def _is_unsupported(catalog: Catalog, asked: str | None, sku: Sku) -> bool:
    default = windows_driver(catalog, sku)
    # The type that AKS installs by default fits. Without one, WIN004 reports the size.
    if asked is None or sku.gpu is None or default in (None, asked):
        return False
    return sku.gpu.name not in catalog.must("pools", "aks")["windowsGpus"][asked]


RULE = Rule(
    code="WIN021",
    name="driver-type-not-supported-by-gpu",
    severity=Severity.WARNING,
    summary="A Windows pool sets a driver type that Microsoft does not list for its GPUs.",
    help="The CUDA driver does not install on the fractional GPUs of NV sizes. Microsoft's GRID driver, with its "
    "licence, supports T4, A10, M60 and RTX PRO 6000. You must choose a type that fits: AKS tries to validate it, "
    "and creating the pool may fail.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-windows-gpu.md",
        "https://github.com/MicrosoftDocs/azure-compute-docs/blob/100a256b4459b09f6357944367f5a47502648dab/articles/virtual-machines/windows/n-series-driver-setup.md",
    ),
    facts=("skus",),
    check=_check,
)
