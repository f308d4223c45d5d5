"""Which sizes meet a pool's requirements: every row of the catalog that is known to meet all of them.

A fact that is unknown (None) does not meet a requirement: what is not known to be so is not promised.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from gitgpu.model.bounds import bounds
from gitgpu.model.sku import Sku

Test: TypeAlias = Callable[[Sku], bool]
Demand: TypeAlias = Callable[[Any], Test]
OBTAINABLE = ("active", "announced", "unknown")


def select(skus: Iterable[Sku], wanted: Mapping[str, Any]) -> tuple[Sku, ...]:
    """The sizes that meet the requirements and that can be had: not retired, not left out by Karpenter."""
    tests = tuple(_tests(wanted))
    return tuple(sku for sku in skus if _obtainable(sku) and all(test(sku) for test in tests))


def _obtainable(sku: Sku) -> bool:
    return sku.offer != "left-out" and sku.lifecycle.status in OBTAINABLE and sku.gpu is not None


def plain(name: str) -> str:
    """A model or architecture name without what people write differently: "RTX PRO 6000" is "rtxpro6000"."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _within(read: Callable[[Sku], float | None]) -> Demand:
    def demand(text: str) -> Test:
        allowed = bounds(text)
        return lambda sku: (value := read(sku)) is not None and allowed.holds(value)

    return demand


def _named(read: Callable[[Sku], str | None]) -> Demand:
    def demand(wanted: str | list[str]) -> Test:
        names = {plain(name) for name in ([wanted] if isinstance(wanted, str) else wanted)}
        return lambda sku: plain(read(sku) or "") in names

    return demand


def _stated(read: Callable[[Sku], bool | None]) -> Demand:
    return lambda wanted: lambda sku: read(sku) is wanted


_OF_NODE: Mapping[str, Demand] = {
    "vcpus": _within(lambda sku: sku.vcpus),
    "memoryGiB": _within(lambda sku: sku.memory_gib),
    "rdma": _stated(lambda sku: sku.rdma),
    "arch": _named(lambda sku: sku.arch),
    "series": _named(lambda sku: sku.series),
}
_OF_GPU: Mapping[str, Demand] = {
    "model": _named(lambda sku: sku.gpu.model if sku.gpu else None),
    "manufacturer": _named(lambda sku: sku.manufacturer),
    "architecture": _named(lambda sku: sku.gpu.architecture if sku.gpu else None),
    "count": _within(lambda sku: sku.gpus),
    "memoryGiB": _within(lambda sku: sku.gpu.memory_gib if sku.gpu else None),
    "mig": _stated(lambda sku: sku.mig),
    "nvlink": _stated(lambda sku: sku.nvlink),
}


def _tests(wanted: Mapping[str, Any]) -> Iterator[Test]:
    gpu = wanted.get("gpu", {})
    for part, demands in ((wanted, _OF_NODE), (gpu, _OF_GPU)):
        yield from (demands[key](part[key]) for key in sorted(part.keys() & demands.keys()))
    if not gpu.get("fractional", False):
        yield lambda sku: sku.whole
