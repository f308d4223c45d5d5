"""Names of what gitgpu installs."""

NAMESPACE = "gpu-resources"  # of everything that gitgpu itself runs on GPU nodes
DEVICE_PLUGIN = "nvidia-device-plugin"  # its DaemonSet, account and ConfigMap
DRA_DRIVER = "dra-driver-nvidia-gpu"  # the chart of NVIDIA's DRA driver
