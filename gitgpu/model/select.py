"""Which sizes meet a pool's requirements: every row of the catalog that is known to meet all of them.

A fact that is unknown (None) does not meet a requirement: what is not known to be so is not promised.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gitgpu.model.bounds import bounds
from gitgpu.model.sku import Sku

Test = Callable[[Sku], bool]
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


def _tests(wanted: Mapping[str, Any]) -> Iterable[Test]:
    gpu = wanted.get("gpu", {})
    readings: Mapping[str, Callable[[Sku], float | None]] = {
        "vcpus": lambda sku: sku.vcpus,
        "memoryGiB": lambda sku: sku.memory_gib,
    }
    for key in sorted(readings.keys() & wanted.keys()):
        yield _within(readings[key], wanted[key])
    for key, read in _FLAGS.items():
        for part in (wanted, gpu):
            if key in part:
                yield lambda sku, read=read, value=part[key]: read(sku) is value  # type: ignore[misc]
    for key, name in _NAMES.items():
        for part in (wanted, gpu):
            if key in part:
                yield _named(name, part[key])
    if "count" in gpu:
        yield _within(lambda sku: sku.count, gpu["count"])
    if "memoryGiB" in gpu:
        yield _within(lambda sku: sku.gpu.memory_gib if sku.gpu else None, gpu["memoryGiB"])
    if not gpu.get("fractional", False):
        yield lambda sku: sku.share >= 1


_FLAGS: Mapping[str, Callable[[Sku], bool | None]] = {
    "rdma": lambda sku: sku.rdma,
    "mig": lambda sku: sku.mig,
    "nvlink": lambda sku: sku.nvlink,
}
_NAMES: Mapping[str, Callable[[Sku], str | None]] = {
    "arch": lambda sku: sku.arch,
    "series": lambda sku: sku.series,
    "model": lambda sku: sku.gpu.model if sku.gpu else None,
    "manufacturer": lambda sku: sku.manufacturer,
    "architecture": lambda sku: sku.gpu.architecture if sku.gpu else None,
}


def _within(read: Callable[[Sku], float | None], text: str) -> Test:
    allowed = bounds(text)
    return lambda sku: (value := read(sku)) is not None and allowed.holds(value)


def _named(read: Callable[[Sku], str | None], wanted: str | list[str]) -> Test:
    names = {plain(name) for name in ([wanted] if isinstance(wanted, str) else wanted)}
    return lambda sku: plain(read(sku) or "") in names
