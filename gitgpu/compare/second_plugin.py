"""A second device plugin on running nodes, whose GPUs AKS keeps managing until they are replaced."""

from collections.abc import Sequence

from gitgpu.access import reach
from gitgpu.compare.abandoned_nodes import label, names
from gitgpu.compare.change import Change
from gitgpu.compare.nodes import Pool
from gitgpu.model.driver_owner import MANAGED_TAG

_PLUGIN = "nvidia-device-plugin"


def second_plugin(was: Pool, now: Pool, changes: Sequence[Change]) -> str:
    """What a change means for running nodes if AKS manages only their GPUs, not those of new ones; "" if nothing."""
    if not _is_managed(was) or _is_managed(now):
        return ""
    nodes = label(now)
    after = (change.after.body for change in changes if change.after and change.after.identity.name == _PLUGIN)
    if not any(names(body, nodes) for body in after):
        return ""
    return (
        "its running nodes keep the device plugin of AKS and get a second one; to avoid that, keep driver: managed, "
        "and add a pool with a different name"
    )


def _is_managed(pool: Pool) -> bool:
    return str(reach(pool.node_class, "spec", "tags", MANAGED_TAG)).lower() == "true"
