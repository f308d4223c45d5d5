"""GPUs that the GPU Operator's MIG manager cuts once a node is up: into what, and by which names pods ask for it."""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from gitgpu.conform.charts import operators, settled
from gitgpu.conform.layouts import LABEL, OFF, layouts, profile_of
from gitgpu.conform.objects import Objects
from gitgpu.model.sku import Sku
from gitgpu.schedule.requirement import Requirements
from gitgpu.simulate.shelf import Amounts

_GPU, _PART = "nvidia.com/gpu", "nvidia.com/mig-"


class Sliced(NamedTuple):
    """How every GPU of a node is cut: how many instances of each profile, or as many as there can be of `all_of`.

    With `mixed`, each profile has a resource of its own; else all instances go by the name of whole GPUs.
    """

    counts: tuple[tuple[str, int], ...]
    all_of: str
    mixed: bool


def sliced(node: Requirements, objects: Objects) -> Sliced | None:
    """The layout that nodes with these labels ask for; None for whole GPUs, or where nobody can tell."""
    asked = node.get(LABEL)
    names = asked.values - {OFF} if asked and not asked.complement else frozenset()
    if len(names) != 1:
        return None
    (name,) = names
    mixed = any(settled(one, objects, "mig", "strategy") == "mixed" for one in operators(objects))
    found = {tuple(sorted(one.groups[0].items())) for one in layouts(objects) if one.name == name and one.groups}
    if len(found) == 1:
        return Sliced(found.pop(), "", mixed)
    return Sliced((), profile_of(name), mixed) if profile_of(name) and not found else None


def cut(offers: Amounts, one: Sliced | None, sku: Sku) -> Amounts:
    """What a node has once its GPUs are cut."""
    whole, profiles = offers.get(_GPU), (sku.gpu.mig if sku.gpu else None) or {}
    if one is None or not whole:
        return offers
    most = profiles.get(one.all_of) if one.all_of else None
    counts: Mapping[str, int] = {one.all_of: most["max"]} if most else dict(one.counts)
    if one.mixed:
        parts = {f"{_PART}{name.replace('+', '.')}": whole * count for name, count in counts.items()}
        return {**offers, _GPU: Decimal(0), **parts} if parts else offers
    return {**offers, _GPU: whole * sum(counts.values())} if counts else offers
