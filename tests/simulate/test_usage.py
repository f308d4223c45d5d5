"""What is idle on a node, and what it costs."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from gitgpu.simulate.forecast import Node, Price, Share
from gitgpu.simulate.usage import idle_gpus, idle_part, parts_of, usage_of
from tests.helping.cases import for_each


def node(gpus: int, slots: int, *shares: Share, price: float | None = 8.0) -> Node:
    """A node with the GPUs that its slots need in use."""
    requested = sum(share.slots for share in shares)
    used = min(-(-requested * gpus // slots), gpus) if slots else 0
    return Node("p", "Standard_X", False, (), gpus, used, slots, price, 8.0, shares)


@for_each(
    ("given_node", "gpus", "part"),
    [
        (node(8, 8), 8, Fraction(1)),  # no pod
        (node(8, 8, Share(0, 1, 2)), 6, Fraction(3, 4)),
        (node(8, 8, Share(0, 1, 8)), 0, Fraction(0)),
        (node(1, 4, Share(0, 1, 1)), 0, Fraction(0)),  # one share of a GPU uses all of it
        (node(2, 8, Share(0, 4, 4)), 1, Fraction(1, 2)),
        (node(1, 1, Share(0, 1, 0)), 0, Fraction(0)),  # whether the pod uses the GPU is not known
        (node(0, 4), 0, Fraction(1)),  # a part of a GPU that Azure's API does not count
        (node(0, 4, Share(0, 1, 1)), 0, Fraction(3, 4)),
        (node(0, 0), 0, Fraction(1)),
        (node(0, 0, Share(0, 1, 0)), 0, Fraction(0)),
    ],
)
def test_what_is_idle(given_node: Node, gpus: int, part: Fraction) -> None:
    assert (idle_gpus(given_node), idle_part(given_node)) == (gpus, part)


def test_an_unknown_price_of_something_idle_is_unknown() -> None:
    used, idle = node(8, 8, Share(0, 1, 8), price=None), node(8, 8, price=None)
    assert usage_of([used]).idle_price == Price(0.0, 0.0)
    assert usage_of([used, idle]).idle_price == Price(None, 8.0)
    assert usage_of([used, idle]).price == Price(None, 16.0)


SHARES = st.lists(st.builds(Share, st.integers(0, 5), st.integers(1, 3), st.integers(0, 4)), max_size=4).map(
    lambda shares: list({share.workload: share for share in shares}.values())
)


@given(SHARES, st.integers(0, 8))
def test_parts_of_a_node_add_up(shares: list[Share], gpus: int) -> None:
    requested = sum(share.slots for share in shares)
    shared = node(gpus, max(gpus, requested), *shares)
    assert sum(parts_of(shared).values()) == (1 if shares else 0)
    assert 0 <= idle_part(shared) <= 1
    usage = usage_of([shared])
    assert 0 <= usage.idle <= usage.gpus
    assert (usage.idle_price.maximum or 0) <= (usage.price.maximum or 0)
