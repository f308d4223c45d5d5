"""The sizes that the options of `sku list` select, and their order."""

from typing import Any

from gitgpu.cli.sku.list.size_filter import SizeFilter
from gitgpu.model.catalog import catalog
from gitgpu.model.size.availability import gpu_memory, node_gpu_memory, sale_of

CATALOG = catalog(())


def sizes(**wanted: Any) -> list[str]:
    """The names of the sizes that match options of `sku list`."""
    usual: dict[str, Any] = dict.fromkeys(SizeFilter._fields) | {"region": ""}
    return [offer.sku.name for offer in SizeFilter(**(usual | wanted)).offers(CATALOG)]


def test_sizes_that_options_select() -> None:
    every = {sku.name: sku for sku in CATALOG.skus}
    assert sizes() == list(every)
    assert sizes(model="rtx-pro 6000") == [
        name for name, sku in every.items() if sku.gpu and sku.gpu.model == "RTX PRO 6000"
    ]
    assert sizes(status="retired") == [name for name, sku in every.items() if sku.lifecycle.status == "retired"]
    for flag in (True, False):
        assert sizes(mig=flag) == [name for name, sku in every.items() if sku.mig is flag]
        assert sizes(rdma=flag) == [name for name, sku in every.items() if sku.rdma is flag]
    least = {name: gpu_memory(sku) for name, sku in every.items()}
    assert sizes(gpu_memory=80.0) == [name for name, memory in least.items() if memory is not None and memory >= 80]
    prices = {name: sale_of(CATALOG, sku).price for name, sku in every.items()}
    dear = sorted({price for price in prices.values() if price is not None})[10]
    assert sizes(max_price=dear) == [name for name, price in prices.items() if price is not None and price <= dear]
    here = {name: sale_of(CATALOG, sku, "eastus") for name, sku in every.items()}
    assert sizes(region="East US") == [name for name, sale in here.items() if "eastus" in sale.regions]


def test_sizes_in_order() -> None:
    every = {sku.name: sku for sku in CATALOG.skus}
    prices = [sale_of(CATALOG, every[name]).price for name in sizes(sort="price")]
    known = [price for price in prices if price is not None]
    assert known == sorted(known)
    assert prices[: len(known)] == known, "sizes without a price come last"
    counts = [every[name].gpus or 0 for name in sizes(sort="gpus")]
    assert counts == sorted(counts, reverse=True)
    memory = [node_gpu_memory(every[name]) or 0 for name in sizes(sort="memory")]
    assert memory == sorted(memory, reverse=True)
    alike = [name for name in sizes(sort="gpus") if every[name].gpus == 1]
    assert alike == sorted(alike)
