"""The sizes as nodes of a NodePool: their labels, what they offer, what their DaemonSets take.

The labels are those of computeRequirements and createOfferings in pkg/providers/instancetype of
Azure/karpenter-provider-azure.
"""

from decimal import Decimal
from typing import NamedTuple

from gitgpu.model.size.node_labels import labels
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import Requirement, requirement
from gitgpu.schedule.allocatable import allocatable
from gitgpu.schedule.capacity import capacity
from gitgpu.schedule.size import Terms, left_out
from gitgpu.simulate.instance.instance_types import InstanceTypes, NodeType
from gitgpu.simulate.instance.mig import Sliced, sliced_amounts
from gitgpu.simulate.instance.offerings import Offerings
from gitgpu.simulate.instance.overhead import Daemon, after, used
from gitgpu.simulate.instance.sharing import Shared, shared_amounts
from gitgpu.simulate.world import World

# Karpenter counts osDiskSizeGB in decimal gigabytes.
_GB = 10**9
_REGION = "topology.kubernetes.io/region"
_SYSTEM, _MODE, _FIPS = (f"kubernetes.azure.com/{key}" for key in ("os-sku", "mode", "fips_enabled"))


class NodeSpec(NamedTuple):
    """What a node class and a pool say of every node, whatever its size."""

    asked: Terms
    disk: int
    max_pods: int
    found: tuple[Daemon, ...]
    shares: tuple[Shared, ...]
    cuts: Sliced | None


def instance_types_of(node: NodeSpec, world: World) -> InstanceTypes:
    """The sizes that a node class leaves, once for all pools that say the same of their nodes."""
    # The DaemonSets hold mappings, which cannot be hashed, so their text takes their place in the key.
    key = (*node._replace(found=()), repr(node.found))
    if key not in world.shelves:
        skus = (sku for sku in world.objects.catalog.skus if not left_out(sku, node.asked))
        world.shelves[key] = InstanceTypes([_type(sku, node, world) for sku in skus], world.offerings)
    return world.shelves[key]


def _type(sku: Sku, node: NodeSpec, world: World) -> NodeType:
    more = {"ephemeral-storage": Decimal(node.disk * _GB), "pods": Decimal(node.max_pods)}
    own = {**labels(sku), **_constant(node.asked, world), **_offered(sku, world.offerings)}
    counts = {**capacity(sku), **more, "nodes": Decimal(1)}
    offers = after({**allocatable(sku), **more}, node.found, own)
    return NodeType(
        sku,
        own,
        offers,
        shared_amounts(sliced_amounts(offers, node.cuts, sku), node.shares),
        counts,
        used(node.found, own),
    )


def _offered(sku: Sku, offerings: Offerings) -> dict[str, Requirement]:
    """What the offerings of a size say of its labels: the zones and ways to pay that it has.

    Of the labels that only repeat the way to pay, computeRequirements gives every size both values.
    """
    every, sold = offerings.labels(offerings.every), offerings.labels(offerings.sold(sku))
    return {key: sold[key] if key in offerings.own else wanted for key, wanted in every.items()}


def _constant(asked: Terms, world: World) -> dict[str, Requirement]:
    """The labels that all nodes of a node class have."""
    facts = world.objects.catalog.must("labels", "karpenter")["values"]
    systems = next(row["values"] for row in facts if row["key"] == _SYSTEM)
    in_words = {
        _REGION: [world.offerings.region] if world.offerings.region else [],
        _SYSTEM: [name for name in systems if asked.image_family.startswith(name)],
        _MODE: next(row["values"] for row in facts if row["key"] == _MODE),
    }
    found = {key: requirement(key, "In", values) for key, values in in_words.items() if values}
    return {**found, _FIPS: requirement(_FIPS, "In", ["true"]) if asked.fips else requirement(_FIPS, "DoesNotExist")}
