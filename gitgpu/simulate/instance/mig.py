"""GPUs that the GPU Operator's MIG manager or AKS partitions once a node is up, and how pods request the parts.

AKS fills every GPU with instances of one size (parts/linux/cloud-init/artifacts/mig-partition.sh of Azure/AgentBaker).
Its own device plugin uses the single strategy unless configured otherwise; other plugins use what is configured.
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.access import mapping_at
from gitgpu.model.names.labels import MIG_CONFIG_LABEL
from gitgpu.model.names.prefixes import MIG_PREFIX
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import Requirements
from gitgpu.objects.gitops.chart_values import PLUGIN, effective_value, operators
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.node.agent_pools import AgentPool
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.mig_layouts import OFF, layouts, profile_of
from gitgpu.objects.workload.pods import pods, words_of
from gitgpu.simulate.instance.instance_types import Amounts
from gitgpu.simulate.instance.sharing import chosen_configs

# The device plugin accepts one dash or two, and the value after a blank or an equals sign.
_OPTION = re.compile(r"--?mig-strategy[= ](\w+)")


class Sliced(NamedTuple):
    """The layout of each GPU of a node: how many instances of each profile, or as many as possible of `all_of`.

    With `mixed`, each profile has its own resource name; otherwise pods request instances by the name of whole GPUs.
    """

    counts: tuple[tuple[str, int], ...]
    all_of: str
    mixed: bool


def selected_layout(node: Requirements, objects: Objects) -> Sliced | None:
    """The layout that the labels of a node select; None for whole GPUs, or if it is unknown."""
    label = node.get(MIG_CONFIG_LABEL)
    names = label.values - {OFF} if label and not label.complement else frozenset()
    if len(names) != 1:
        return None
    (name,) = names
    mixed = any(effective_value(operator, objects, "mig", "strategy") == "mixed" for operator in operators(objects))
    named_layouts = [layout for layout in layouts(objects) if layout.name == name and layout.groups]
    distinct = {tuple(sorted(layout.groups[0].items())) for layout in named_layouts}
    if len(distinct) == 1:
        return Sliced(distinct.pop(), "", mixed)
    return Sliced((), profile_of(name), mixed) if profile_of(name) and not distinct else None


def slices_of(pool: AgentPool, node: Requirements, sku: Sku, objects: Objects) -> Sliced | None:
    """How AKS partitions the GPUs of a pool; None if it does not, or if that is not known."""
    profile = objects.catalog.must("pools", "aks")["migProfiles"].get(pool.gpu_instance_profile)
    strategies = _strategies(pool, node, objects)
    if not profile or strategies not in ({"single"}, {"mixed"}):
        return None
    size = (profile["slices"], profile["instances"])
    instances = (sku.gpu.mig if sku.gpu else None) or {}
    name = next((name for name, fact in instances.items() if (fact["slices"], fact["max"]) == size), "")
    return Sliced(((name, profile["instances"]),), "", strategies == {"mixed"}) if name else None


def _strategies(pool: AgentPool, node: Requirements, objects: Objects) -> set[str]:
    """The MIG strategies that may be configured for the device plugin of these nodes."""
    managed = mapping_at(pool.spec, "gpuProfile", "nvidia")
    if managed.get("managementMode") == "Managed":
        return {"mixed" if managed.get("migStrategy") == "Mixed" else "single"}
    strategies = {config.strategy for config in chosen_configs(node, objects)} - {""}
    return strategies or objects.once("MIG strategies", lambda: set(_everywhere(objects)))


def _everywhere(objects: Objects) -> Iterator[str]:
    """The strategies that chart values, options and environment variables set for device plugins."""
    for operator in operators(objects):
        yield str(effective_value(operator, objects, "mig", "strategy"))
    for release in releases(objects, PLUGIN):
        if release.value("migStrategy"):
            yield str(release.value("migStrategy"))
    for pod in pods(objects):
        if pod.is_daemon:
            for _, container in pod.containers():
                yield from _container_options(container)


def _container_options(container: Mapping[str, Any]) -> Iterator[str]:
    for variable in container.get("env") or ():
        if variable.get("name") == "MIG_STRATEGY":
            yield str(variable.get("value"))  # "None" if the value comes from elsewhere, such as a ConfigMap
    yield from _OPTION.findall(" ".join(words_of(container)))


def sliced_amounts(offers: Amounts, slices: Sliced | None, sku: Sku) -> Amounts:
    """What a node offers after its GPUs are partitioned."""
    whole, profiles = offers.get(NVIDIA_GPU), (sku.gpu.mig if sku.gpu else None) or {}
    if slices is None or not whole:
        return offers
    maximum = profiles.get(slices.all_of) if slices.all_of else None
    counts: Mapping[str, int] = {slices.all_of: maximum["max"]} if maximum else dict(slices.counts)
    if slices.mixed:
        # A resource name cannot hold a plus sign: 1g.10gb+me is requested as mig-1g.10gb.me.
        parts = {f"{MIG_PREFIX}{name.replace('+', '.')}": whole * count for name, count in counts.items()}
        return {**offers, NVIDIA_GPU: Decimal(0), **parts} if parts else offers
    return {**offers, NVIDIA_GPU: whole * sum(counts.values())} if counts else offers
