"""What nodes cost, for whom, and how much of it is for GPUs that no pod requests."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from gitgpu.simulate.forecast import Node, Price, total


class Usage(NamedTuple):
    """The sums over some nodes. `idle` GPUs are requested by no pod, and `idle_price` is the part that they cost."""

    nodes: int
    gpus: int
    idle: int
    price: Price
    idle_price: Price

    @property
    def busy(self) -> int:
        """The number of GPUs that are not idle."""
        return self.gpus - self.idle


def usage_of(nodes: Iterable[Node]) -> Usage:
    """The sums over nodes. A price is unknown if that of one node is."""
    counted = list(nodes)
    return Usage(
        nodes=len(counted),
        gpus=sum(node.gpus for node in counted),
        idle=sum(map(idle_gpus, counted)),
        price=price_of(counted),
        idle_price=sum_of(price_part(Price(node.price, node.maximum), idle_part(node)) for node in counted),
    )


def price_of(nodes: Iterable[Node]) -> Price:
    """The hourly price of nodes."""
    return sum_of(Price(node.price, node.maximum) for node in nodes)


def sum_of(prices: Iterable[Price]) -> Price:
    """The sum of prices; a part is unknown if it is unknown of one of them."""
    listed = list(prices)
    return Price(total([price.exact for price in listed]), total([price.maximum for price in listed]))


def idle_gpus(node: Node) -> int:
    """How many GPUs of a node no pod requests; 0 if it has only pods that may use GPUs without requesting any.

    On Windows, pods request microsoft.com/directx, and the catalog does not have their number. A pod that keeps the
    first node for KAITO leaves its GPU to a model. What is unused there is not known.
    """
    return 0 if is_unrequested(node) else node.gpus - node.used


def idle_part(node: Node) -> Fraction:
    """The part of a node that is idle, from 0 to 1. A node without pods is idle as a whole."""
    if is_unrequested(node):
        return Fraction(0)
    if node.gpus:
        return Fraction(idle_gpus(node), node.gpus)
    # Azure's API counts no GPU of sizes with a part of one, such as NV V710.
    slots = max(node.slots, 1)
    return Fraction(max(slots - _requested(node), 0), slots)


def is_unrequested(node: Node) -> bool:
    """Whether a node has pods, and none of them requests a GPU."""
    return bool(node.shares) and not _requested(node) and not node.used


def parts_of(node: Node) -> dict[int, Fraction]:
    """Each workload's share of a node: of its GPU slots in use, or of its pods if none of them requests a GPU."""
    used = {share.workload: share.slots for share in node.shares}
    if not sum(used.values()):
        used = {share.workload: share.pods for share in node.shares}
    every = sum(used.values())
    return {workload: Fraction(amount, every) for workload, amount in used.items()}


def _requested(node: Node) -> int:
    return sum(share.slots for share in node.shares)


def price_part(price: Price, part: Fraction) -> Price:
    """A part of a price; nothing costs nothing, also if the price is unknown."""
    if not part:
        return Price(0.0, 0.0)
    exact, maximum = (None if amount is None else amount * float(part) for amount in price)
    return Price(exact, maximum)
