"""The NVIDIA device plugin's configuration file: the same for the plugin on its own and inside the GPU Operator."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.plan.decided.gpus import PluginConfig


@cache
def plugin_config(wanted: PluginConfig) -> str:
    """The text of one configuration, as JSON, which is also valid YAML."""
    config: dict[str, Any] = {"version": "v1", "flags": {"migStrategy": wanted.mig}}
    sharing = wanted.sharing
    if sharing.way:
        resources = [{"name": NVIDIA_GPU, "replicas": sharing.replicas}]
        # Two shares give a pod no more than one, so the plugin rejects pods that request two.
        config["sharing"] = {sharing.way: {"failRequestsGreaterThanOne": True, "resources": resources}}
    return json.dumps(config, indent=2) + "\n"


def plugin_configs(configs: Mapping[str, PluginConfig]) -> dict[str, str]:
    """The configurations by name."""
    return {name: plugin_config(wanted) for name, wanted in configs.items()}
