"""What MIG needs from a pool's nodes, and from the software that partitions and advertises their GPUs.

The GPU Operator partitions GPUs only after their node has started. By then the device plugin could have advertised
whole GPUs, and the pod for which the node was created could use one. So a new node has the label with which the
operator's MIG manager itself pauses the plugin: when the manager is done, it lets the plugin start.
"""

from collections.abc import Mapping, Sequence

from gitgpu.model.fleet import Pool
from gitgpu.model.mig import Mig
from gitgpu.model.names.labels import DEPLOY_DEVICE_PLUGIN_LABEL, MIG_CONFIG_LABEL
from gitgpu.model.software.node_configs import mig_layout
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.gpus import Partitioning

HELD_BACK = {DEPLOY_DEVICE_PLUGIN_LABEL: "paused-for-mig-change"}


def mig_labels(pool: Pool, mig: Mig) -> dict[str, str]:
    """The labels that make the GPU Operator partition the GPUs of a node before anything is advertised."""
    layout = {MIG_CONFIG_LABEL: mig_layout(pool, mig)}
    # AKS sets the labels of its node pools again whenever a pool changes, which would pause the plugin
    # indefinitely.
    return layout | HELD_BACK if pool.by_karpenter else layout


def partitioning(pools: Sequence[PoolPlan]) -> Partitioning | None:
    """How the GPU Operator partitions the GPUs of its pools; None if of none. Rules ensure one strategy."""
    by_layout = {mig_layout(pool.pool, pool.pool.mig): pool.pool for pool in pools if pool.pool.mig}
    if not by_layout:
        return None
    by_name: Mapping[str, Mig] = {name: pool.mig for name, pool in sorted(by_layout.items()) if pool.mig}
    strategy = max(mig.strategy for mig in by_name.values())
    layouts = {name: mig.layouts for name, mig in by_name.items()}
    return Partitioning(strategy, layouts, any(map(_reboots, by_layout.values())))


def _reboots(pool: Pool) -> bool:
    """An unknown GPU may need a reboot too; the manager reboots only if it is unavoidable."""
    return any(sku.gpu is not None and sku.gpu.reboot is not False for sku in pool.skus)
