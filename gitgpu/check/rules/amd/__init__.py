"""AMD GPUs: the AMD GPU Operator and its pools."""
