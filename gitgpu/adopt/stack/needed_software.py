"""GPU software that also runs on nodes where none of gitgpu would take its place: it stays, on all nodes.

A DaemonSet is one object. Who deletes it because gitgpu's own runs on some of its nodes takes it from the others too.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gitgpu.adopt.node.kaito_pools import is_of_kaito
from gitgpu.adopt.stack.gpu_daemons import DETECTOR, EXPORTER, MPS, PLUGIN, part_of
from gitgpu.adopt.stack.reached_nodes import pools_outside, runs_on
from gitgpu.adopt.stack.view import PoolNodes, View
from gitgpu.inventory.observed import Observed
from gitgpu.model.driver_owner import AKS_ONLY, BY_AKS
from gitgpu.objects.software.daemons import Daemon, daemons
from gitgpu.objects.workload.pods import pods

_PROVIDED = {PLUGIN: "device-plugin", EXPORTER: "dcgm-exporter"}  # by the releases of charts


class Needed(NamedTuple):
    """A device plugin or MPS daemon, and the pool that needs it as it is."""

    daemon: Daemon
    pool: str


def needed_plugin(nodes: PoolNodes, others: Sequence[PoolNodes], view: View) -> Needed | None:
    """The device plugin or MPS daemon of a pool that one of these other pools needs too."""
    of_mps = (each for each in _daemon_sets(view) if part_of(each.item.body) == MPS)
    for daemon in (*daemons(view.objects, _PROVIDED[PLUGIN]), *of_mps):
        if runs_on(daemon, nodes, view):
            for other in others:
                if runs_on(daemon, other, view):
                    return Needed(daemon, other.pool.name)
    return None


def pools_left(view: View) -> Iterator[PoolNodes]:
    """The pools of NVIDIA GPUs on a driver of AKS that are not in the fleet, and neither KAITO nor AKS manages."""
    return (nodes for nodes in pools_outside(view) if _is_on_driver_of_aks(nodes) and not is_of_kaito(nodes.nodes.body))


def _is_on_driver_of_aks(nodes: PoolNodes) -> bool:
    if nodes.karpenter:
        return nodes.karpenter.by_aks and not nodes.karpenter.managed
    return nodes.agent is not None and nodes.agent.installs_driver and not nodes.agent.manages_gpus


def why_needed(observed: Observed, part: str, view: View) -> str:
    """Why a DaemonSet or a release of this part has to stay; "" if gitgpu's can take its place on all of its nodes."""
    provided = daemons(view.objects, *(_PROVIDED[part],) if part in _PROVIDED else ())
    for daemon in (*_daemon_sets(view), *(daemon for daemon in provided if daemon.release)):
        if view.original(daemon.item) is observed:
            for nodes in _nodes_without(part, view):
                if runs_on(daemon, nodes, view):
                    return f"it runs on the nodes of {nodes.pool.name}, where gitgpu's would not: it stays as it is"
    return ""


def _nodes_without(part: str, view: View) -> Iterator[PoolNodes]:
    """The pools that may need a part, and where gitgpu's does not run: outside the fleet, or of another owner."""
    yield from pools_left(view) if part in (PLUGIN, MPS) else pools_outside(view)
    drivers = BY_AKS if part == DETECTOR else (AKS_ONLY,)
    yield from (nodes for nodes in view.pools if view.drivers.get(nodes.pool.name) in drivers)


def _daemon_sets(view: View) -> Iterator[Daemon]:
    for pod in pods(view.objects):
        if pod.is_daemon:
            yield Daemon("", f"DaemonSet {pod.item.identity.name}", pod.item, (pod.item, ()), pod)
