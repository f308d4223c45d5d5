"""Names of what gitgpu installs."""

NAMESPACE = "gpu-resources"  # of everything that gitgpu itself runs on GPU nodes
DRA_DRIVER = "dra-driver-nvidia-gpu"  # the chart of NVIDIA's DRA driver
