"""Where the simulator places the Pending pods of a dump: each pod alone, without the objects that create pods."""

from collections.abc import Mapping
from typing import NamedTuple

from gitgpu.model.names.kinds import DAEMON_SET, HORIZONTAL_POD_AUTOSCALER, POD, SCALED_OBJECT
from gitgpu.objects.objects import Identity, Item, Objects
from gitgpu.simulate.engine import place_pods
from gitgpu.simulate.explain.closed_nodes import closed_nodes
from gitgpu.simulate.explain.verdicts import verdict
from gitgpu.simulate.forecast import Reason, Verdict
from gitgpu.simulate.place.node_claim import NodeClaim
from gitgpu.simulate.pod.templates import templates
from gitgpu.simulate.setup import Setup

_SCALERS = (HORIZONTAL_POD_AUTOSCALER, SCALED_OBJECT)


class Placed(NamedTuple):
    """The simulator's verdict on a pod, and the node that it gets; None if it gets none.

    `closed` are running nodes that have room for a pod that gets a new one, and take none.
    """

    verdict: Verdict
    node: NodeClaim | None
    closed: tuple[Reason, ...] = ()


def placed_pods(objects: Objects, setup: Setup) -> Mapping[Identity, Placed]:
    """The verdict on each Pending pod that may run on a GPU node."""
    alone = objects.only(*(item for item in objects.items if not _creates_pods(item)))
    result = place_pods(alone, setup)
    found: dict[Identity, Placed] = {}
    for work, load in result.listed:
        claims = result.run.high.by_workload.get(load.number, ())
        node = claims[0][0] if claims else None
        closed = tuple(closed_nodes(load, result.run.places)) if node and not node.real else ()
        found[work.pod.item.identity] = Placed(verdict(work, load, result.run), node, closed)
    return found


def _creates_pods(item: Item) -> bool:
    kind = item.identity[:2]
    if kind in (POD, DAEMON_SET):
        return False
    return kind in _SCALERS or any(True for _ in templates(item))
