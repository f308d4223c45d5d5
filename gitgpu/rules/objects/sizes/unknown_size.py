"""A GPU size that the catalog does not have."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.size.node_labels import NAMES
from gitgpu.objects.node.candidate_sizes import values
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

PREFIX = "standard_"


def _check(objects: Objects) -> Iterator[Finding]:
    catalog, unknown = objects.catalog, list[tuple[Item, Pointer, str]]()
    for pool in node_pools(objects):
        for place, name in values(pool, NAMES):
            # A row of the user's own catalog that is not valid has its own finding.
            if _looks_like_gpus(name, objects) and not catalog.sku(name) and not catalog.is_broken(name):
                unknown.append((pool.item, place, name))
    remedies = {name: catalog.size_remedy(name) for name in {name for _, _, name in unknown}}
    for item, place, name in unknown:
        message = f"unknown GPU size {name}: it is not in the catalog, and may not exist in Azure"
        yield Finding(item, place, message, remedies[name] or "compare it with `gitgpu sku list`")


def _looks_like_gpus(name: str, objects: Objects) -> bool:
    """Whether the name starts like a GPU size. Other names may be sizes without GPUs."""
    sizes = objects.catalog.sku_names
    families = objects.once_per_run("GPU families", lambda: tuple({size[: len(PREFIX) + 2] for size in sizes}))
    return f"{PREFIX}{name.lower().removeprefix(PREFIX)}".startswith(families)


RULE = Rule(
    code="NPS002",
    name="unknown-size",
    severity=Severity.WARNING,
    summary="A NodePool requires a GPU size that the catalog does not have.",
    help="Karpenter does not report a name that no size has: the NodePool becomes Ready and never starts it. The size "
    "may be newer than the catalog, so this is a warning.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/sizes/overview",
        "https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions",
    ),
    facts=("skus/*",),
    check=_check,
)
