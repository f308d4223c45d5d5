"""gitgpu sets the labels that GPU software selects nodes by."""

from collections.abc import Collection, Iterator, Mapping

from gitgpu.access import has
from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import AKS_ONLY, driver_on, opts_out
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.labels import DEPLOY_OPERANDS_LABEL, DEVICE_PLUGIN_CONFIG_LABEL, MIG_CONFIG_LABEL
from gitgpu.model.software.node_configs import DEFAULT
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters

INSTEAD: Mapping[str, str] = {
    DEVICE_PLUGIN_CONFIG_LABEL: "remove it; to share GPUs, set partition with timeSlicing or mps",
    MIG_CONFIG_LABEL: "remove it; to partition GPUs, set partition with mig",
    DEPLOY_OPERANDS_LABEL: "remove it; use driver: aks or driver: operator to choose who manages the GPUs",
}
# By the value "false" or another one, where gitgpu keeps the GPU Operator off nodes with the driver of AKS.
_OPERANDS_INSTEAD = {
    True: "remove it: without operatorOptOut: false, gitgpu sets this label",
    False: "remove it, or set operatorOptOut: false if a GPU Operator manages these nodes",
}
# Values that select no partition: the default configuration of the device plugin, and no MIG.
RESERVED = {DEVICE_PLUGIN_CONFIG_LABEL: (DEFAULT, ""), MIG_CONFIG_LABEL: ("all-disabled", "")}
_CONFIGURED = {
    DEVICE_PLUGIN_CONFIG_LABEL: ("gpu-operator", "devicePlugin", "config"),
    MIG_CONFIG_LABEL: ("gpu-operator", "migManager", "config"),
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Labels of pools that gitgpu derives from the spec, if it installs the software that reads them."""
    for pool, clusters in pools_with_clusters(inputs):
        drivers = {driver_on(cluster, pool) for cluster in clusters}
        # Your own software reads the labels there.
        if drivers <= {"none", AKS_ONLY}:
            continue
        for key in sorted(INSTEAD.keys() & pool.labels.keys()):
            if not _names_configuration(pool, key, drivers) and not _is_users(pool, key, clusters):
                message = f"gitgpu derives the label {key} from the spec of the pool"
                yield Finding(*pool_place(pool, "labels", key), message, _remedy(pool, key, drivers))
        for key in sorted(pool.objects.unwanted_labels):
            if _is_read(pool, key, drivers):
                message = f"without label {key}, the partition of the pool has no effect"
                yield Finding(*pool_place(pool, "labels", key), message, "remove the null, or the partition")


def _is_users(pool: Pool, key: str, clusters: Collection[Cluster]) -> bool:
    """Whether the label names a configuration or a layout that a GPU Operator has without gitgpu, or has no effect."""
    if key == DEPLOY_OPERANDS_LABEL:
        # Only "false" keeps a GPU Operator away.
        is_derived = pool.operator_opt_out and any(opts_out(driver_on(cluster, pool)) for cluster in clusters)
        return pool.labels[key] != "false" and not is_derived
    if pool.labels[key] in RESERVED.get(key, (pool.labels[key],)) or pool.mig:
        return False
    # The operator has layouts such as all-1g.10gb of its own.
    if key == MIG_CONFIG_LABEL and pool.labels[key].startswith("all-"):
        return all(driver_on(cluster, pool) == "operator" for cluster in clusters)
    path = _CONFIGURED.get(key, ())
    return bool(path) and all(any(has(layer.values, path) for layer in cluster.values) for cluster in clusters)


def _remedy(pool: Pool, key: str, drivers: Collection[str]) -> str:
    if key == DEPLOY_OPERANDS_LABEL and all(map(opts_out, drivers)):
        return _OPERANDS_INSTEAD[pool.labels[key] == "false"]
    return INSTEAD[key]


def _names_configuration(pool: Pool, key: str, drivers: Collection[str]) -> bool:
    """Whether the label only names the configuration that gitgpu creates from the partition of the pool."""
    return _is_read(pool, key, drivers) and pool.labels[key] not in RESERVED[key]


def _is_read(pool: Pool, key: str, drivers: Collection[str]) -> bool:
    """Whether software that gitgpu installs finds the partition of the pool by this label."""
    if key == DEVICE_PLUGIN_CONFIG_LABEL:
        return bool(pool.sharing.way) or bool(pool.mig and "aks" in drivers)
    return key == MIG_CONFIG_LABEL and bool(pool.mig) and "operator" in drivers


RULE = Rule(
    code="SCH007",
    name="label-derived-from-spec",
    severity=Severity.ERROR,
    summary="A pool sets a label that gitgpu derives from the spec.",
    help="The device plugin reads nvidia.com/device-plugin.config, the GPU Operator reads "
    "nvidia.com/gpu.deploy.operands, and its MIG manager reads nvidia.com/mig.config. A value that you set "
    "contradicts the spec: GPUs are advertised twice, shared differently than the spec says, or not advertised. "
    "With a partition, the label can name its configuration; with driver: none or aks-only, your own software reads "
    "the labels. Running nodes can keep a value of nvidia.com/gpu.deploy.operands other than false, with "
    "operatorOptOut: false.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/getting-started.rst",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/state_manager.go",
    ),
    check=_check,
)
