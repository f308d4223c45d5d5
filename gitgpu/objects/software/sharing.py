"""How the GPUs of a cluster are shared, if all its nodes share them in the same way."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, reach
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.objects.gitops.chart_values import PLUGIN, operators
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.plugin_configs import Choice, choices, plugin_configs
from gitgpu.objects.workload.kaito_models import installs

SHARED = f"{NVIDIA_GPU}.shared"


def sharing(objects: Objects) -> list[tuple[str, Mapping[str, Any]]]:
    """Each way in which whole GPUs may be shared, and its section; none if a node may have GPUs that are not shared."""
    return objects.once("shares", lambda: _sharing(objects))


def _sharing(objects: Objects) -> list[tuple[str, Mapping[str, Any]]]:
    all_choices = list(choices(objects))
    if len(all_choices) != 1 or not _only(all_choices[0], objects):
        return []
    configs = {config.name: config for config in plugin_configs(objects)}
    shared = []
    for name in sorted(all_choices[0].names):
        ways = list(configs[name].ways()) if name in configs else []
        # With both ways, or another resource, it is not clear how a whole GPU is shared.
        if len(ways) != 1 or NVIDIA_GPU not in _resources(ways[0][1]):
            return []
        shared.append(ways[0])
    return shared


def _only(choice: Choice, objects: Objects) -> bool:
    """Whether every node with NVIDIA GPUs gets one of these configurations."""
    plugins = [*releases(objects, PLUGIN), *operators(objects)]
    alone = len(plugins) == (choice.release is not None) and not installs(objects)
    by_default = choice.default or (len(choice.names) == 1 and choice.release and choice.release.chart == PLUGIN)
    return alone and bool(by_default) and not any(pool.managed or pool.is_of_other_owner for pool in gpu_pools(objects))


def _resources(section: Mapping[str, Any]) -> Iterator[str]:
    return (str(reach(entry, "name")) for entry in list_at(section, "resources"))
