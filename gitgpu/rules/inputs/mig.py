"""Pools that use MIG, and the instances that they offer to workloads."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.mig import Mig
from gitgpu.model.sku import Gpu
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.source import Pointer

MIG: Pointer = ("spec", "partition", "mig")


def mig_pools(inputs: Inputs) -> Iterator[tuple[Pool, Mig, tuple[Cluster, ...]]]:
    """Every pool with MIG and its clusters."""
    return ((pool, pool.mig, clusters) for pool, clusters in pools_with_clusters(inputs) if pool.mig)


def gpus(pool: Pool) -> list[tuple[str, Gpu]]:
    """The sizes of a pool whose GPUs support MIG, and these GPUs."""
    return [(sku.name, sku.gpu) for sku in pool.skus if sku.gpu and sku.gpu.mig and sku.mig]


def layout_place(mig: Mig, index: int) -> Pointer:
    """The place of the layout of a GPU. A single layout applies to all GPUs."""
    return (*MIG, "profiles", index) if len(mig.layouts) > 1 else (*MIG, "profiles")


def profile_names(mig: Mig) -> str:
    """The profiles of a layout, without duplicates, separated by commas."""
    return ", ".join(dict.fromkeys(chain.from_iterable(map(sorted, mig.layouts))))
