"""The sizes that meet a pool's requirements: every row of the catalog that is known to meet all of them.

An unknown fact (None) does not meet a requirement. GPUs are chosen first, so that only the sizes with one of them have
to be read.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

from gitgpu.model.catalog import Catalog
from gitgpu.model.sku import Gpu, Sku
from gitgpu.model.syntax.bounds import bounds

Hardware = TypeVar("Hardware", Gpu, Sku)
Test: TypeAlias = Callable[[Hardware], bool]
Demand: TypeAlias = Callable[[Any], Test[Hardware]]


def matching_sizes(catalog: Catalog, wanted: Mapping[str, Any]) -> tuple[Sku, ...]:
    """The sizes that meet the requirements and that are available: not retired, and not excluded by Karpenter."""
    gpu = wanted.get("gpu", {})
    gpu_tests = tuple(_tests(gpu, _OF_GPU))
    gpus = {candidate.name for candidate in catalog.gpus if _passes(candidate, gpu_tests)}
    node_tests = (*_tests(wanted, _OF_NODE), *_tests(gpu, _OF_GPUS_IN_NODE))
    parts = gpu.get("fractional", False)
    offered_skus = [sku for sku in catalog.skus_with(gpus) if sku.obtainable and (parts or sku.whole)]
    return tuple(sku for sku in offered_skus if _passes(sku, node_tests))


def _passes(hardware: Hardware, tests: Iterable[Test[Hardware]]) -> bool:
    return all(test(hardware) for test in tests)


def plain(name: str) -> str:
    """A model or architecture name in a plain spelling: "RTX PRO 6000" is "rtxpro6000"."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _within(read: Callable[[Hardware], float | None]) -> Demand[Hardware]:
    def demand(text: str) -> Test[Hardware]:
        allowed = bounds(text)
        return lambda hardware: (value := read(hardware)) is not None and allowed.holds(value)

    return demand


def _named(read: Callable[[Hardware], str | None]) -> Demand[Hardware]:
    def demand(wanted: str | list[str]) -> Test[Hardware]:
        names = set(map(plain, [wanted] if isinstance(wanted, str) else wanted))
        return lambda hardware: plain(read(hardware) or "") in names

    return demand


def _stated(read: Callable[[Hardware], bool | None]) -> Demand[Hardware]:
    return lambda wanted: lambda hardware: read(hardware) is wanted


_OF_NODE: Mapping[str, Demand[Sku]] = {
    "vcpus": _within(lambda sku: sku.vcpus),
    "memoryGiB": _within(lambda sku: sku.memory_gib),
    "rdma": _stated(lambda sku: sku.rdma),
    "arch": _named(lambda sku: sku.arch),
    "series": _named(lambda sku: sku.series),
}
_OF_GPUS_IN_NODE: Mapping[str, Demand[Sku]] = {
    "count": _within(lambda sku: sku.gpus),
    "mig": _stated(lambda sku: sku.mig),
    "nvlink": _stated(lambda sku: sku.nvlink),
}
_OF_GPU: Mapping[str, Demand[Gpu]] = {
    "model": _named(lambda gpu: gpu.model),
    "manufacturer": _named(lambda gpu: gpu.manufacturer),
    "architecture": _named(lambda gpu: gpu.architecture),
    "memoryGiB": _within(lambda gpu: gpu.memory_gib),
}


def _tests(wanted: Mapping[str, Any], demands: Mapping[str, Demand[Hardware]]) -> Iterator[Test[Hardware]]:
    return (demands[key](wanted[key]) for key in sorted(wanted.keys() & demands.keys()))
