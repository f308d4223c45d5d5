"""Resources: requests, limits, quotas and device names."""

from gitgpu.conform.kinds import ANY, kinds

KINDS = kinds(ANY)
