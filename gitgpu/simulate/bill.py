"""Nodes and workloads out of a packing: what is used of each node, and whose part of its price is how large."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from gitgpu.simulate.claim import Claim
from gitgpu.simulate.outcome import Level, Node, Share, total
from gitgpu.simulate.pack import Packed

IsGpu = Callable[[str], bool]


def nodes(packed: Packed, is_gpu: IsGpu) -> tuple[Node, ...]:
    """The nodes of a packing, by pool, size and what is on them."""
    found = [_node(claim, is_gpu) for claim in packed.claims]
    return tuple(sorted(found, key=lambda one: (one.pool, one.sku, one.shares, one.zones)))


def level(packed: Packed, number: int, pods: int, is_gpu: IsGpu) -> Level:
    """A workload in a packing; of a node that it shares, it pays by the GPUs that it uses."""
    mine = [claim for claim in packed.claims if number in claim.pods]
    parts = [(_node(claim, is_gpu), _part(claim, number, is_gpu)) for claim in mine]
    gpus = sum(claim.pods[number] * _gpus(claim.shapes[number].asks, is_gpu) for claim in mine)
    return Level(
        replicas=pods,
        placed=pods - packed.left.get(number, 0),
        nodes=len(mine),
        gpus=gpus,
        stranded=sum(node.gpus - node.used for node, _ in parts),
        price=total([None if node.price is None else node.price * part for node, part in parts]),
        most=total([None if node.most is None else node.most * part for node, part in parts]),
    )


def of_cluster(found: Sequence[Node]) -> tuple[float | None, float | None]:
    """What all nodes cost an hour, and what they cost at most."""
    return total([one.price for one in found]), total([one.most for one in found])


def _node(claim: Claim, is_gpu: IsGpu) -> Node:
    shelf = claim.group.shelf
    market = shelf.market
    at, to = shelf.best(claim.types, claim.slots)
    one, slot = shelf.types[at], market.slots[to]
    same = shelf.alike(at, to, claim.slots)
    zones = tuple(dict.fromkeys(other.zone for bit, other in enumerate(market.slots) if same >> bit & 1))
    has = sum(int(amount) for name, amount in one.holds.items() if amount is not None and amount > 0 and is_gpu(name))
    shares = tuple(
        Share(load, times, times * _gpus(claim.shapes[load].asks, is_gpu)) for load, times in sorted(claim.pods.items())
    )
    used = sum(share.gpus for share in shares)
    prices = market.price(one.sku, slot), market.most(one.sku, slot)
    return Node(claim.group.name, one.sku.name, slot.spot, zones, has, used, *prices, shares)


def _gpus(asks: Mapping[str, Decimal], is_gpu: IsGpu) -> int:
    return sum(int(amount) for name, amount in asks.items() if is_gpu(name))


def _part(claim: Claim, number: int, is_gpu: IsGpu) -> float:
    """The part of a node that a workload uses: of its GPUs, or of its pods where none asks for any."""
    weights = {load: times * _gpus(claim.shapes[load].asks, is_gpu) for load, times in claim.pods.items()}
    if not sum(weights.values()):
        weights = dict(claim.pods)
    return weights[number] / sum(weights.values())
