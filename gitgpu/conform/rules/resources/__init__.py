"""Resources: requests, limits, quotas and device names."""
