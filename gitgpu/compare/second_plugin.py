"""A second device plugin on running nodes, whose GPUs AKS keeps managing until they are replaced."""

from collections.abc import Sequence

from gitgpu.compare.change import Change
from gitgpu.compare.nodes import Pool
from gitgpu.compare.running_nodes import manages_gpus, running_nodes
from gitgpu.model.software.names import DEVICE_PLUGIN, daemon_of
from gitgpu.objects.node.selection import selects


def second_plugin(was: Pool, now: Pool, changes: Sequence[Change]) -> str:
    """What a change means for running nodes if AKS manages only their GPUs, not those of new ones; "" if nothing."""
    if not manages_gpus(was) or manages_gpus(now):
        return ""
    nodes = running_nodes(was)
    after = (change.after for change in changes if change.after)
    plugins = (obj.body for obj in after if daemon_of(obj.identity.name) == DEVICE_PLUGIN)
    if not any(selects(body, nodes) for body in plugins):
        return ""
    return (
        "its running nodes keep the device plugin of AKS and get a second one; to avoid that, keep driver: managed, "
        "and add a pool with a different name"
    )
