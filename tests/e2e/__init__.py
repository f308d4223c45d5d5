"""The output, applied to a real control plane: an API server and Flux's controllers."""
