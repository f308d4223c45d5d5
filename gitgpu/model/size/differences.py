"""Differences between the sizes of a pool that should be alike."""

from collections.abc import Callable, Iterable

from gitgpu.model.sku import Sku
from gitgpu.spelling import join_names


def differences(sizes: Iterable[Sku], value: Callable[[Sku], str | None]) -> str:
    """Each value with the sizes that have it, sorted by value; "" if all known values are the same."""
    names: dict[str, list[str]] = {}
    for sku in sizes:
        text = value(sku)
        if text:
            names.setdefault(text, []).append(sku.name)
    if len(names) < 2:
        return ""
    return "; ".join(f"{text} on {join_names(having)}" for text, having in sorted(names.items()))
