"""The sizes and regions that a pool has as it is written, and a line about a size."""

from collections.abc import Iterator

from gitgpu.editor.context import Context
from gitgpu.editor.yaml_tree import Node
from gitgpu.model.size.availability import Sold
from gitgpu.model.sku import Gpu, Sku


def size_line(sku: Sku, sale: Sold) -> str:
    """A size in a line: its GPUs, CPUs and memory, its price, and in how many regions it is known."""
    memory = f" {sku.gpu.memory_gib:g} GiB" if sku.gpu else ""
    count = "?" if sku.gpus is None else f"{sku.gpus}"
    share = "" if sku.whole else f" ({sku.share} of a GPU each)"
    parts = [f"{count} x {sku.model or 'unknown GPU'}{memory}{share}"]
    parts += [f"{sku.vcpus} vCPU"] if sku.vcpus else []
    parts += [f"{sku.memory_gib:g} GiB"] if sku.memory_gib else []
    if sale.price is not None:
        parts.append(f"${sale.price:,.3f}/h{f' in {sale.region}' if sale.region else ' or more'}")
    if not sale.region and sale.regions:
        shown = sale.regions[:3]
        more = f" and {len(sale.regions) - 3} more" if len(sale.regions) > 3 else ""
        parts.append(f"in {', '.join(shown)}{more}")
    return ", ".join(parts) + (f", {sku.why_gone}" if sku.why_gone else "")


def regions_of(pool: Node, context: Context) -> list[str]:
    """The regions of the clusters that a pool names or selects, without duplicates."""
    wanted = pool.get("spec", "clusters")
    if wanted is None:
        return []
    names = {value.text for _, value in wanted.entries}
    labels = wanted.get("matchLabels")
    pairs = {(key.text, value.text) for key, value in labels.entries if key} if labels else set()
    regions = (
        cluster.region
        for cluster in context.clusters()
        if (pairs <= set(cluster.labels.items()) if labels else cluster.name in names)
    )
    return list(dict.fromkeys(regions))


def gpus_of(pool: Node, context: Context) -> list[Gpu]:
    """The GPUs of the sizes that a pool names; those of all sizes it may use if it has requirements."""
    name = pool.text_at("metadata", "name")
    skus = [sku for sku in map(context.catalog.sku, _named(pool)) if sku]
    for linked in context.inputs.pools if context.inputs and not skus else ():
        skus += linked.skus if linked.name == name else ()
    gpus = (sku.gpu for sku in skus if sku.gpu and sku.gpu.mig)
    return list({gpu.name: gpu for gpu in gpus}.values())


def _named(pool: Node) -> Iterator[str]:
    sizes = pool.get("spec", "sku")
    if sizes:
        yield from filter(None, (sizes.text, *(value.text for _, value in sizes.entries)))
