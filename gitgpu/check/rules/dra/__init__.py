"""DRA: GPUs that pods ask for by ResourceClaim."""
