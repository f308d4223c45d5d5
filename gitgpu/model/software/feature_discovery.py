"""Node Feature Discovery in the values of the charts that can install it."""

from collections.abc import Mapping

from gitgpu.model.software.names import NODE_FEATURE_DISCOVERY

# By release, the value that turns it off. NVIDIA's charts have the same one.
DISCOVERY_SWITCHES: Mapping[str, tuple[str, str]] = {
    NODE_FEATURE_DISCOVERY: ("worker", "enable"),
    "gpu-operator": ("nfd", "enabled"),
    "network-operator": ("nfd", "enabled"),
    "amd-gpu-operator": (NODE_FEATURE_DISCOVERY, "enabled"),
}
