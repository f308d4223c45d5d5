"""Sizes as nodes of a NodePool: their labels, what they offer, and what their DaemonSets use.

The labels follow computeRequirements and createOfferings in pkg/providers/instancetype of
Azure/karpenter-provider-azure.
"""

from decimal import Decimal
from typing import NamedTuple

from gitgpu.model.names.labels import REGION_LABEL
from gitgpu.model.size.node_labels import labels
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import Requirement, Requirements, requirement
from gitgpu.schedule.allocatable import allocatable
from gitgpu.schedule.capacity import capacity
from gitgpu.schedule.excluded_sizes import Terms, why_left_out
from gitgpu.simulate.instance.instance_types import InstanceTypes, NodeType
from gitgpu.simulate.instance.mig import Sliced, sliced_amounts
from gitgpu.simulate.instance.offerings import Offerings
from gitgpu.simulate.instance.overhead import Daemon, ports_of_daemons, without_daemons
from gitgpu.simulate.instance.sharing import Shared, shared_amounts
from gitgpu.simulate.world import World

# Karpenter counts osDiskSizeGB in decimal gigabytes.
_GB = 10**9
_SYSTEM, _MODE, _FIPS = (f"kubernetes.azure.com/{key}" for key in ("os-sku", "mode", "fips_enabled"))


class NodeSpec(NamedTuple):
    """What a node class and a pool set on every node, regardless of its size."""

    terms: Terms
    disk: int
    max_pods: int
    daemons: tuple[Daemon, ...]
    shares: tuple[Shared, ...]
    slices: Sliced | None


def instance_types_of(node: NodeSpec, world: World) -> InstanceTypes:
    """The sizes that the node class allows, computed once for all pools with the same settings."""
    # The DaemonSets hold mappings, which cannot be hashed, so their text takes their place in the key.
    key = (*node._replace(daemons=()), repr(node.daemons))
    if key not in world.shared_types:
        skus = (sku for sku in world.objects.catalog.skus if not why_left_out(sku, node.terms))
        constant = _constant(node.terms, world)
        types = [_type(sku, node, constant, world.offerings) for sku in skus]
        world.shared_types[key] = InstanceTypes(types, world.offerings)
    return world.shared_types[key]


def _type(sku: Sku, node: NodeSpec, constant: Requirements, offerings: Offerings) -> NodeType:
    more = {"ephemeral-storage": Decimal(node.disk * _GB), "pods": Decimal(node.max_pods)}
    own = {**labels(sku), **constant, **_offered(sku, offerings)}
    counts = {**capacity(sku), **more, "nodes": Decimal(1)}
    offers = without_daemons({**allocatable(sku), **more}, node.daemons, own)
    return NodeType(
        sku,
        own,
        offers,
        shared_amounts(sliced_amounts(offers, node.slices, sku), node.shares),
        counts,
        ports_of_daemons(node.daemons, own),
    )


def _offered(sku: Sku, offerings: Offerings) -> dict[str, Requirement]:
    """The labels that follow from the offerings of a size: its zones and capacity types."""
    sold = offerings.labels(offerings.of_size(sku))
    own = {key: wanted for key, wanted in sold.items() if key in offerings.own}
    # computeRequirements gives every size both values of the labels that only repeat the capacity type.
    return {**offerings.labels(offerings.every), **own}


def _constant(terms: Terms, world: World) -> dict[str, Requirement]:
    """The labels that all nodes of a node class have."""
    facts = world.objects.catalog.must("labels", "karpenter")["values"]
    systems = next(row["values"] for row in facts if row["key"] == _SYSTEM)
    values_by_key = {
        REGION_LABEL: [world.offerings.region] if world.offerings.region else [],
        _SYSTEM: [name for name in systems if terms.image_family.startswith(name)],  # Ubuntu2404 is Ubuntu
        _MODE: next(row["values"] for row in facts if row["key"] == _MODE),
    }
    fixed = {key: requirement(key, "In", values) for key, values in values_by_key.items() if values}
    fips = requirement(_FIPS, "In", ["true"]) if terms.fips else requirement(_FIPS, "DoesNotExist")
    return {**fixed, _FIPS: fips}
