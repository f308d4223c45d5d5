"""The labels that select the configuration of GPU software for a node, and their values."""

from gitgpu.model.fleet import Pool
from gitgpu.model.mig import Mig
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL, MIG_CONFIG_LABEL

DEFAULT = "default"  # the configuration of nodes without the label
NAMES = {"timeSlicing": "time-slicing", "mps": "mps"}
MIG_CONFIGS = ("mig-mixed", "mig-single")  # the names that gitgpu chooses for the strategies of MIG


def plugin_config(pool: Pool, driver: str) -> str:
    """The name of the device plugin's configuration for a pool: that of its label, else one that gitgpu chooses.

    The GPU Operator configures MIG in its plugin by itself.
    """
    name = DEFAULT
    if pool.mig and driver == "aks":
        name = f"mig-{pool.mig.strategy}"
    elif pool.sharing.way:
        name = f"{NAMES[pool.sharing.way]}-{pool.sharing.replicas}"
    return name if name == DEFAULT else pool.labels.get(DEVICE_PLUGIN_CONFIG_LABEL, name)


def mig_layout(pool: Pool, mig: Mig) -> str:
    """The name of the MIG layout of a pool: that of its label, else one that gitgpu chooses."""
    return pool.labels.get(MIG_CONFIG_LABEL, mig.name)
