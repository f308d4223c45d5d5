"""The NVIDIA device plugin's configuration file: the same for the plugin of its own and inside the GPU Operator."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any


@cache
def plugin_config(replicas: int) -> str:
    """The text of one configuration, as JSON, which the plugin's YAML reader takes.

    A pod that asks for two turns on a shared GPU is refused: two turns give it no more than one.
    """
    config: dict[str, Any] = {"version": "v1", "flags": {"migStrategy": "none"}}
    if replicas > 1:
        turns = {"failRequestsGreaterThanOne": True, "resources": [{"name": "nvidia.com/gpu", "replicas": replicas}]}
        config["sharing"] = {"timeSlicing": turns}
    return json.dumps(config, indent=2) + "\n"


def plugin_configs(sharing: Mapping[str, int]) -> dict[str, str]:
    """The configurations by name."""
    return {name: plugin_config(replicas) for name, replicas in sharing.items()}
