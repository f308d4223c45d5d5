"""Resources that pods request. NVIDIA's is also the key of a common taint of GPU nodes."""

AMD_GPU = "amd.com/gpu"
DIRECTX = "microsoft.com/directx"
NVIDIA_GPU = "nvidia.com/gpu"
