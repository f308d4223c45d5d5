"""Names of what gitgpu installs."""

NAMESPACE = "gpu-resources"  # of everything that gitgpu itself runs on GPU nodes
DEVICE_PLUGIN = "nvidia-device-plugin"  # its DaemonSet, account and ConfigMap
AMD_DRIVER = "amdgpu-driver"
DRA_DRIVER = "dra-driver-nvidia-gpu"  # the chart of NVIDIA's DRA driver
NODE_FEATURE_DISCOVERY = "node-feature-discovery"  # its chart, and where other charts have its values

# The DaemonSets that gitgpu writes. Those for some nodes only have longer names, such as nvidia-device-plugin-mig.
DAEMON_SETS = (
    DEVICE_PLUGIN,
    "amd-device-plugin",
    AMD_DRIVER,
    "dcgm-exporter",
    "gpu-feature-discovery",
    "gpu-problem-detector",
    "nvidia-mps-control-daemon",
    "nvidia-peermem",
)


def daemon_of(name: str) -> str:
    """The software of a DaemonSet of gitgpu, such as nvidia-device-plugin for nvidia-device-plugin-pool-a; or "".

    Several of them can have the same software, each on other nodes.
    """
    return next((each for each in DAEMON_SETS if name == each or name.startswith(f"{each}-")), "")
