"""A configuration of the device plugin or of MIG is found by its name, so it is the same on all nodes of a cluster."""

from collections.abc import Hashable, Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL, MIG_CONFIG_LABEL
from gitgpu.model.software.node_configs import DEFAULT, mig_layout, plugin_config
from gitgpu.model.value_origins import pool_place, pool_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose label names the configuration of a pool on the same cluster that has another partition."""
    first: dict[tuple[str, str, str], tuple[Pool, Hashable]] = {}
    for pool, clusters in pools_with_clusters(inputs):
        findings = [_clash(pool, cluster, first) for cluster in clusters]
        yield from [finding for finding in findings if finding][:1]  # the same on its other clusters


def _clash(pool: Pool, cluster: Cluster, first: dict[tuple[str, str, str], tuple[Pool, Hashable]]) -> Finding | None:
    """The first name of the pool that another pool of the cluster uses for something else."""
    for key, name, meaning in _names(pool, driver_on(cluster, pool)):
        other, first_meaning = first.setdefault((cluster.name, key, name), (pool, meaning))
        if first_meaning == meaning:
            continue
        named, partner = (pool, other) if key in pool.labels else (other, pool)
        owner = pool_with_place(partner, "partition")
        message = f"label {key} names {name}, which {owner} uses for a different partition"
        return Finding(*pool_place(named, "labels", key), message, "use another name, or the same partition")
    return None


def _names(pool: Pool, driver: str) -> Iterator[tuple[str, str, Hashable]]:
    """The labels that select gitgpu's configurations on nodes of the pool: key, name, and what the name means."""
    config = plugin_config(pool, driver)
    if config != DEFAULT and driver in ("aks", "operator"):
        yield DEVICE_PLUGIN_CONFIG_LABEL, config, (pool.sharing, pool.mig.strategy if pool.mig else "")
    if pool.mig and driver == "operator":
        yield (
            MIG_CONFIG_LABEL,
            mig_layout(pool, pool.mig),
            repr([sorted(layout.items()) for layout in pool.mig.layouts]),
        )


RULE = Rule(
    code="SCH028",
    name="conflicting-partition-names",
    severity=Severity.ERROR,
    summary="Two pools of a cluster use the same name for different partitions.",
    help="The device plugin and the MIG manager have one list of named configurations for the whole cluster, and a "
    "node label selects one by name. With the same name for two partitions, the nodes of one pool share their GPUs "
    "like those of the other.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/getting-started.rst",
    ),
    check=_check,
)
