"""AMD GPUs: DeviceConfig and the charts of the AMD GPU Operator."""
