"""Nodes and workloads of a packing: how much of each node is used, and each workload's share of its price."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from gitgpu.simulate.forecast import Level, Node, Price, Share
from gitgpu.simulate.instance.instance_types import Amounts
from gitgpu.simulate.node.existing_nodes import zones_and_spot
from gitgpu.simulate.place.node_claim import NodeClaim
from gitgpu.simulate.place.scheduler import Packed
from gitgpu.simulate.usage import idle_gpus, parts_of, price_part, sum_of

IsGpu = Callable[[str], bool]


class Costs(NamedTuple):
    """A packing and its nodes, all and by workload. Each node is paired with the claim that it comes from."""

    packed: Packed
    every: tuple[tuple[NodeClaim, Node], ...]
    by_workload: Mapping[int, Sequence[tuple[NodeClaim, Node]]]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes that would be started, sorted by pool, size and workloads."""
        return in_order(node for _, node in self.every if not node.exists)


def costs(packed: Packed, is_gpu: IsGpu) -> Costs:
    """Prices the nodes of a packing."""
    every = tuple((claim, _node(claim, is_gpu)) for claim in packed.claims)
    by_workload: dict[int, list[tuple[NodeClaim, Node]]] = {}
    for claim, node in every:
        for number in claim.pods:
            if number >= 0:  # pods that ran before the simulation have numbers below 0
                by_workload.setdefault(number, []).append((claim, node))
    return Costs(packed, every, by_workload)


def in_order(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Sorts nodes by pool, size and workloads."""
    return tuple(sorted(nodes, key=lambda node: (node.pool, node.sku, node.shares, node.zones)))


def level(priced: Costs, number: int, pods: int) -> Level:
    """One workload in a packing. It pays for a shared node in proportion to the GPUs that it uses."""
    nodes = [node for _, node in priced.by_workload.get(number, ())]
    gpus = Fraction()  # not a float: thirds of a GPU have to add up to whole ones before they are rounded up
    prices: list[Price] = []
    for node in nodes:
        gpus += _serving(node, _slots(node, number))
        prices.append(price_part(Price(node.price, node.maximum), parts_of(node)[number]))
    price = sum_of(prices)
    return Level(
        replicas=pods,
        placed=pods - priced.packed.left.get(number, 0),
        nodes=len(nodes),
        gpus=ceil(gpus),
        idle=sum(map(idle_gpus, nodes)),
        price=price.exact,
        maximum=price.maximum,
    )


def _slots(node: Node, number: int) -> int:
    """How many GPU slots a workload has on a node."""
    return next(share.slots for share in node.shares if share.workload == number)


def _node(claim: NodeClaim, is_gpu: IsGpu) -> Node:
    if claim.real:
        return _existing(claim, is_gpu)
    instance_types = claim.group.instance_types
    offerings = instance_types.offerings
    type_number, offering_number = instance_types.best(claim.types, claim.offered)
    node_type, offering = instance_types.types[type_number], offerings.by_number[offering_number]
    same = offerings.of(instance_types.alike(type_number, offering_number, claim.offered))
    shares = _shares(claim, is_gpu)
    node = Node(
        pool=claim.group.name,
        sku=node_type.sku.name,
        spot=offering.spot,
        zones=tuple(dict.fromkeys(other.zone for other in same)),
        gpus=_sum(node_type.counts, is_gpu),
        used=0,
        slots=_sum(node_type.holds, is_gpu),
        price=offerings.price(node_type.sku, offering),
        maximum=offerings.highest_price(node_type.sku, offering),
        shares=shares,
    )
    return _with_used(node, sum(share.slots for share in shares))


def _existing(claim: NodeClaim, is_gpu: IsGpu) -> Node:
    """A node that already exists: it adds no cost."""
    node_type = next(claim.group.instance_types.of(claim.types))
    zones, spot = zones_and_spot(claim.group)
    node = Node(
        pool=claim.group.name,
        sku=node_type.sku.name,
        spot=spot,
        zones=zones,
        gpus=_sum(node_type.counts, is_gpu),
        used=0,
        slots=_sum(node_type.holds, is_gpu),
        price=0.0,
        maximum=0.0,
        shares=_shares(claim, is_gpu),
        exists=True,
    )
    # Pods that ran before the simulation use GPUs as well, and have no share.
    return _with_used(node, sum(pods * _sum(claim.shapes[load].requests, is_gpu) for load, pods in claim.pods.items()))


def _with_used(node: Node, slots: int) -> Node:
    """Sets the number of used GPUs: as many as provide these slots, at most all of the node."""
    return node._replace(used=min(ceil(_serving(node, slots)), node.gpus))


def _shares(claim: NodeClaim, is_gpu: IsGpu) -> tuple[Share, ...]:
    pods = sorted((load, times) for load, times in claim.pods.items() if load >= 0)
    return tuple(Share(load, times, times * _sum(claim.shapes[load].requests, is_gpu)) for load, times in pods)


def _sum(amounts: Amounts, is_gpu: IsGpu) -> int:
    """The number of GPUs in these amounts.

    A negative amount, left by daemons that use more than the node has, counts as 0.
    """
    return sum(max(int(amount), 0) for name, amount in amounts.items() if amount is not None and is_gpu(name))


def _serving(node: Node, slots: int) -> Fraction:
    """How many GPUs of a node provide this number of slots."""
    return Fraction(slots * node.gpus, node.slots) if node.slots else Fraction()
