"""How the spec of a pool requests sizes: by name, or by requirements."""

from collections.abc import Callable, Iterator

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Pool
from gitgpu.model.sku import Sku
from gitgpu.model.value_origins import with_place
from gitgpu.source import Pointer
from gitgpu.spelling import join_names

SKU: Pointer = ("spec", "sku")
REQUIREMENTS: Pointer = ("spec", "requirements")
NODE_REQUIREMENTS: Pointer = ("spec", "nodeRequirements")


def sizes_place(pool: Pool) -> Pointer:
    """The place where the pool requests its sizes."""
    if pool.exact:
        return NODE_REQUIREMENTS
    return SKU if pool.sizes else REQUIREMENTS


def exclusion_text(pool: Pool, by_requirements: str, by_node_requirements: str) -> str:
    """The text about how a pool excludes sizes; "" if it names its sizes."""
    if pool.exact:
        return by_node_requirements
    return "" if pool.sizes else by_requirements


def pool_with_sizes_place(pool: Pool) -> str:
    """The pool with the place where it requests sizes, for a message."""
    return with_place(pool.name, pool.origin, sizes_place(pool))


def named_sizes(pool: Pool, catalog: Catalog) -> Iterator[tuple[Pointer, Sku]]:
    """Each size that the pool names, with its place; none for a pool with requirements."""
    for index, name in enumerate(pool.sizes):
        if sku := catalog.sku(name):
            yield (*SKU, index) if len(pool.sizes) > 1 else SKU, sku


def wrong_sizes(
    pool: Pool, catalog: Catalog, test: Callable[[Sku], object], *, every: bool = False
) -> Iterator[tuple[Pointer, str]]:
    """The places of sizes for which `test` is true, and their names: one by one, or together for requirements.

    A size that is not available is a separate fault, and is omitted here. With `every`, requirements are wrong only if
    all sizes that meet them are: Karpenter drops the others.
    """
    if pool.sizes:
        for where, sku in named_sizes(pool, catalog):
            offered = sku.obtainable or not (pool.by_karpenter or sku.why_gone)  # AKS node pools have more sizes
            if offered and test(sku):
                yield where, sku.name
        return
    names = [sku.name for sku in pool.skus if test(sku)]
    if names and not (every and len(names) < len(pool.skus)):
        yield sizes_place(pool), join_names(names)
