"""The labels that gitgpu itself adds to the nodes of a pool, as far as a rule can know."""

from gitgpu.model.driver_owner import AKS_ONLY, BY_AKS, driver_on
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.labels import DEPLOY_OPERANDS_LABEL, DEVICE_PLUGIN_CONFIG_LABEL
from gitgpu.model.software.node_configs import DEFAULT, plugin_config


def drivers(inputs: Inputs, pool: Pool) -> set[str]:
    """Who installs the driver, on all clusters of the pool."""
    return {driver_on(cluster, pool) for cluster in inputs.clusters_named(pool.clusters)}


def can_opt_out(pool: Pool, driver: str) -> bool:
    """Whether gitgpu labels nodes of the pool to keep a GPU Operator away, unless the pool omits the label."""
    # NVIDIA's GPU Operator runs neither on Windows nor on AMD GPUs.
    return driver in BY_AKS and driver != AKS_ONLY and pool.manufacturer == "nvidia" and not pool.windows


def is_labelled(pool: Pool, driver: str) -> bool:
    """Whether the nodes get any label, from the pool itself or from gitgpu."""
    unwanted = pool.objects.unwanted_labels
    opts_out = can_opt_out(pool, driver) and pool.operator_opt_out and DEPLOY_OPERANDS_LABEL not in unwanted
    configured = plugin_config(pool, driver) != DEFAULT and DEVICE_PLUGIN_CONFIG_LABEL not in unwanted
    # The MIG manager of the GPU Operator finds the layout by a label.
    return bool(pool.labels) or opts_out or configured or (driver == "operator" and pool.mig is not None)
