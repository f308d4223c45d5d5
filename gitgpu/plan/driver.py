"""Who installs the driver on a node and who advertises its GPUs: exactly one of each.

Pools whose driver AKS installs have a label that keeps the GPU Operator's operands away, even if there is no operator
in the cluster yet: adding one later must not change a label, because a changed label replaces every node. A pool can
opt out, for example if its running nodes do not have the label. With `aks-only` there is no label.
"""

from gitgpu.model.driver_owner import AKS_ONLY, BY_AKS, MANAGED_TAG, opts_out
from gitgpu.model.fleet import Pool
from gitgpu.model.names.labels import DEPLOY_OPERANDS_LABEL, DEVICE_PLUGIN_CONFIG_LABEL, DRA_KUBELET_PLUGIN_LABEL
from gitgpu.model.software.node_configs import DEFAULT, plugin_config
from gitgpu.plan.mig import mig_labels

# The GPU Operator runs none of its pods on nodes with this label.
OPT_OUT = {DEPLOY_OPERANDS_LABEL: "false"}
BY_CLAIM = {DRA_KUBELET_PLUGIN_LABEL: "true"}  # NVIDIA's label of nodes from which it evicts the DRA driver
DIRECTX = "directx"  # the driver and the device plugin that AKS installs on Windows nodes


def installer(pool: Pool, driver: str) -> str:
    """Who installs the driver: on Windows AKS installs its own."""
    return DIRECTX if pool.windows and driver in ("aks", AKS_ONLY) else driver


def gpu_mode(driver: str) -> str | None:
    """The AKSNodeClass's gpu.mode: the word "None" if AKS must not install a driver, or None for its default."""
    return None if driver in BY_AKS else "None"


def labels(pool: Pool, driver: str, *, claimed: bool) -> dict[str, str]:
    """The labels of the pool's nodes: the user's, and those that select the nodes of the GPU software."""
    added = dict(OPT_OUT) if pool.operator_opt_out and opts_out(driver) else {}
    if claimed and driver == "operator":
        added |= BY_CLAIM
    # A node without the label gets the default configuration.
    if (name := plugin_config(pool, driver)) != DEFAULT:
        added[DEVICE_PLUGIN_CONFIG_LABEL] = name
    if pool.mig and driver == "operator":
        added |= mig_labels(pool, pool.mig)
    wanted = {key: value for key, value in added.items() if key not in pool.objects.unwanted_labels}
    return dict(sorted({**wanted, **pool.labels}.items()))


def tags(pool: Pool, driver: str) -> dict[str, str]:
    """The Azure tags of the pool's VMs. For managed GPUs, an AKS node pool has a property instead of the tag."""
    managed = {MANAGED_TAG: "true"} if driver == "managed" and pool.by_karpenter else {}
    return dict(sorted({**pool.tags, **managed}.items()))
