"""Sizes as a person would write them: by name, or by requirements that only they meet."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.model.catalog import Catalog
from gitgpu.model.size.size_selection import matching_sizes
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.whole_number import whole_number

MAX_LISTED = 2  # up to this many sizes are listed by name, even if requirements match exactly these


def size_keys(skus: Sequence[Sku], catalog: Catalog, *, named: bool) -> dict[str, Any] | None:
    """`sku` with these sizes, or `requirements` that only these meet. With `named`, sizes are always listed.

    None if no short requirements match exactly these sizes.
    """
    names = [sku.name for sku in skus]
    if not named and len(names) > MAX_LISTED:
        for requirements in _candidates(skus):
            if {sku.name for sku in matching_sizes(catalog, requirements)} == set(names):
                return {"requirements": _written(requirements)}
        return None
    return {"sku": names[0] if len(names) == 1 else names}


def _candidates(skus: Sequence[Sku]) -> Iterator[Mapping[str, Any]]:
    """Requirements from the shortest to the longest."""
    models = sorted({sku.gpu.model for sku in skus if sku.gpu})
    counts = [sku.gpus for sku in skus if sku.gpus]
    series = sorted({sku.series for sku in skus if sku.series})
    if not models or not counts:
        return
    low, high = min(counts), max(counts)
    count = {"count": str(low) if low == high else f"{low}..{high}"}
    yield {"gpu": {"model": models}}
    yield {"gpu": {"model": models, **count}}
    if series:
        yield {"gpu": {"model": models}, "series": series}
        yield {"gpu": {"model": models, **count}, "series": series}


def _written(requirements: Mapping[str, Any]) -> dict[str, Any]:
    """Requirements as a spec has them: a count without a range is a number."""
    gpu = requirements["gpu"]
    count = whole_number(gpu.get("count", ""))
    return dict(requirements) if count is None else {**requirements, "gpu": {**gpu, "count": count}}
