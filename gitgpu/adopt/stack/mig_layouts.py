"""How the GPUs of a pool are partitioned with MIG: by the GPU Operator's MIG manager, or by AKS."""

from collections.abc import Mapping, Sequence
from typing import Any

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.node.aks_mig import profile_of_aks
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.view import PoolNodes, View
from gitgpu.load.parse.quick import mapping_in
from gitgpu.model.mig import Layout, Mig
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL, MIG_CONFIG_LABEL
from gitgpu.objects.gitops.chart_values import effective_value, operators
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.node.node_pools import LABELS
from gitgpu.objects.software.mig_layouts import OFF, layouts, profile_of
from gitgpu.objects.software.mig_layouts import Layout as NamedLayout

_PATH = ("partition",)
_BY_LABEL = "mig-"  # gitgpu's configurations of the device plugin for GPUs that AKS partitions: mig-single, mig-mixed


def mig_of_operator(nodes: PoolNodes, view: View) -> Evidence | None:
    """The MIG layout that the label of the nodes selects; None without the label.

    It is adopted only under the name that gitgpu gives to it, because another value of the label replaces the nodes, or
    partitions the GPUs of running AKS nodes again.
    """
    name = str(nodes.labels.get(MIG_CONFIG_LABEL) or "")
    if not name or name == OFF:
        return None
    above = nodes.agent.place("nodeLabels") if nodes.agent else LABELS
    evidence = Evidence(_PATH, None, "", nodes.nodes, (*above, MIG_CONFIG_LABEL), nodes.pool.name)
    strategy = str(next((_strategy(release, view) for release in operators(view.objects)), "single"))
    for layout in layouts(view.objects):
        mig = _mig(layout, strategy) if layout.name == name else None
        if mig and mig.name == name:
            reason = f"{view.original(layout.item).name} has the layout {name}, which its nodes select"
            return evidence._replace(value={"mig": _spec_value(mig)}, reason=reason)
    profile = f" ({profile_of(name)} on each GPU)" if profile_of(name) else ""
    effect = "partitions the GPUs of running nodes again" if nodes.agent else "replaces the nodes"
    reason = (
        f"its nodes select the MIG layout {name}{profile}; partition.mig names layouts after their profiles, and "
        f"another value of the label {MIG_CONFIG_LABEL} {effect}"
    )
    return evidence._replace(reason=reason, fate=Fate.INEXPRESSIBLE)


def _mig(layout: NamedLayout, strategy: str) -> Mig | None:
    """The partitions of a layout; None if it has none."""
    groups = _groups(list_at(mapping_in(_text(layout)).get("mig-configs"), layout.name))
    return Mig(strategy, tuple(groups)) if groups else None


def _strategy(release: Release, view: View) -> Any:
    return effective_value(release, view.objects, "mig", "strategy") or "single"


def _text(layout: NamedLayout) -> Any:
    return reach(layout.item.body, *layout.pointer)


def _groups(entries: Sequence[Any]) -> list[Layout]:
    """One layout for all GPUs, or one for each GPU, in order."""
    whole: list[Layout] = []
    for entry in entries:
        group = mapping_at(entry)
        devices = group.get("devices")
        layout = dict(mapping_at(group, "mig-devices"))
        # `devices: all` is one layout for every GPU; a list has an entry for each.
        whole += [layout] * (len(devices) if isinstance(devices, list) else 1)
    return whole


def mig_of_aks(nodes: PoolNodes, view: View) -> Evidence | None:
    """The layout from the gpuInstanceProfile of a node pool: AKS partitions all its GPUs in the same way."""
    instance = nodes.agent.gpu_instance_profile if nodes.agent else ""
    if not instance or not nodes.agent:
        return None
    place = nodes.agent.place("gpuInstanceProfile")
    wanted: Mapping[str, int] = view.catalog.must("pools", "aks")["migProfiles"].get(str(instance), {})
    gpus = [sku.gpu for _, _, sku in nodes.agent.sizes(view.objects) if sku and sku.gpu]
    profile = next((profile_of_aks(gpu, wanted) for gpu in gpus), "")
    if not profile:
        reason = f"its gpuInstanceProfile {instance} is not a layout of its GPUs"
        return Evidence(_PATH, None, reason, nodes.nodes, place, nodes.pool.name, Fate.INEXPRESSIBLE)
    mig = Mig(_advertised(nodes), ({profile: wanted["instances"]},))
    reason = f"its gpuInstanceProfile is {instance}"
    return Evidence(_PATH, {"mig": _spec_value(mig)}, reason, nodes.nodes, place, nodes.pool.name)


def _advertised(nodes: PoolNodes) -> str:
    """The strategy that AKS or a device plugin configuration of gitgpu sets for the nodes; single by default."""
    spec = nodes.agent.spec if nodes.agent else {}
    managed = str(reach(spec, "gpuProfile", "nvidia", "migStrategy") or "").lower()
    label = str(nodes.labels.get(DEVICE_PLUGIN_CONFIG_LABEL) or "")
    if managed:
        return managed
    return label.removeprefix(_BY_LABEL) if label.startswith(_BY_LABEL) else "single"


def _spec_value(mig: Mig) -> dict[str, Any]:
    """The value of `partition.mig`, without defaults."""
    layouts = list(map(dict, mig.layouts))
    content: dict[str, Any] = {} if mig.single else {"strategy": mig.strategy}
    content["profiles"] = layouts if len(layouts) > 1 else layouts[0]
    return content
