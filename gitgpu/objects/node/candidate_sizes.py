"""The sizes among which a NodePool lets Karpenter choose: those that it names, or that meet its requirements."""

import re
from collections.abc import Collection, Iterable, Iterator

from gitgpu.model.names.kinds import AKS_NODE_CLASS
from gitgpu.model.size.gpu_requirements import wants_gpus
from gitgpu.model.sku import Sku
from gitgpu.objects.node.node_pools import REQUIREMENTS, NodePool, matching, terms
from gitgpu.objects.objects import Item, Objects
from gitgpu.schedule.excluded_sizes import Terms, why_left_out
from gitgpu.source import Pointer

_NAME_PART = re.compile(r"[^\W_]+")  # letters and digits


def values(
    pool: NodePool, keys: Collection[str], operators: Collection[str] = ("In",)
) -> Iterator[tuple[Pointer, str]]:
    """Each value that the pool requires of one of these labels, and its place."""
    for demand in pool.label_requirements:
        if demand.key in keys and demand.operator in operators:
            yield from demand.values


def place(pool: NodePool, *keys: str) -> Pointer:
    """The place of the first requirement on the first of these labels, or of all requirements if there is none."""
    places = {demand.key: demand.place for demand in reversed(list(pool.label_requirements))}
    return next((places[key] for key in keys if key in places), REQUIREMENTS)


def named_sizes(pool: NodePool, objects: Objects) -> tuple[tuple[Pointer, Sku], ...]:
    """Each catalog size that the pool names exactly, and the place of the name."""
    return objects.once(("named", pool), lambda: tuple(_named(pool, objects)))


def _named(pool: NodePool, objects: Objects) -> Iterator[tuple[Pointer, Sku]]:
    for pointer, name in pool.listed_sizes:
        sku = objects.catalog.sku(name)
        if sku and sku.name == name:
            yield pointer, sku


def by_name(pool: NodePool) -> bool:
    """Whether the pool lists its sizes."""
    return bool(pool.listed_sizes)


def is_decided(pool: NodePool, objects: Objects) -> bool:
    """Whether the catalog has every possible size of the pool: all that it lists, or it requires GPUs."""
    return objects.once(("decided", pool), lambda: _is_decided(pool, objects))


def _is_decided(pool: NodePool, objects: Objects) -> bool:
    if by_name(pool):
        return len(named_sizes(pool, objects)) == len(pool.listed_sizes)
    return wants_gpus(pool.together)


def own_class(pool: NodePool, objects: Objects) -> Item | None:
    """The AKSNodeClass that a NodePool names; None if it is not among the objects, or a patch changes it."""
    return objects.once("sole node classes", lambda: _sole_classes(objects)).get(pool.class_name)


def candidates(pool: NodePool, objects: Objects) -> tuple[Sku, ...]:
    """The sizes that meet the requirements and are possible with the node class, as far as that is known."""
    owner = own_class(pool, objects)
    node_terms = terms(owner, objects.catalog) if owner else None
    name = ("candidates", pool.size_requirements, node_terms)
    return objects.once_per_run(name, lambda: tuple(_candidates(matching(pool, objects), node_terms)))


def _candidates(skus: Iterable[Sku], asked: Terms | None) -> Iterator[Sku]:
    obtainable = (sku for sku in skus if sku.obtainable)
    return (sku for sku in obtainable if not why_left_out(sku, asked)) if asked else obtainable


def accelerators(objects: Objects) -> tuple[str, ...]:
    """Every value of sku-gpu-name in the catalog."""
    skus = objects.catalog.skus
    return objects.once_per_run(
        "accelerators", lambda: tuple(sorted({sku.accelerator for sku in skus if sku.accelerator}))
    )


def gpu_name_parts(name: str) -> list[str]:
    """The parts of a GPU's name in upper case: NVIDIA, A100 and 80GB of nvidia-a100-80gb."""
    return _NAME_PART.findall(name.upper()) or [""]


def _sole_classes(objects: Objects) -> dict[str, Item]:
    """The AKSNodeClasses by name that exactly one object defines, and no patch changes."""
    classes: dict[str, list[Item]] = {}
    for item in objects.of(*AKS_NODE_CLASS):
        classes.setdefault(item.identity.name, []).append(item)
    patched = objects.patched_names(*AKS_NODE_CLASS)
    return {name: items[0] for name, items in classes.items() if len(items) == 1 and name not in patched}
