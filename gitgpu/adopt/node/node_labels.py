"""Converts node labels to keys of a GpuPool: `labels`, and the keys from which gitgpu generates the others."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from gitgpu.model.driver_owner import CLAIMABLE, opts_out
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL, MIG_CONFIG_LABEL
from gitgpu.model.sku import Sku
from gitgpu.model.software.node_configs import NAMES
from gitgpu.plan.driver import OPT_OUT
from gitgpu.plan.mig import HELD_BACK

# Names that gitgpu gives to device plugin configurations: sharing method and replicas, such as mps-4.
_SHARED = re.compile(f"({'|'.join(map(re.escape, NAMES.values()))})-([1-9][0-9]?)")
# A part of the name that gitgpu gives to a MIG layout: number and profile of instances, such as 2x3g.40gb.
_SLICES = re.compile(r"([1-9])x([1-9]g\.[0-9]{1,3}gb(\.me)?)")
_METHODS = {name: way for way, name in NAMES.items()}


class Labels(NamedTuple):
    """The labels of a pool's nodes, who installs its driver, and its sizes."""

    labels: Mapping[str, str]
    driver: str
    skus: Sequence[Sku]

    @property
    def is_opted_out(self) -> bool:
        """Whether gitgpu would keep the GPU Operator off these nodes."""
        return opts_out(self.driver) and self.skus[0].manufacturer == "nvidia"


class Way(Protocol):
    """How labels are converted."""

    @property
    def literal(self) -> bool:
        """Whether labels are kept as they are."""
        ...

    @property
    def keys(self) -> Mapping[str, Any]:
        """The keys of the pool that are already known."""
        ...


def label_keys(node_labels: Labels, way: Way) -> dict[str, Any]:
    """`labels`, and the keys from which gitgpu generates the other labels."""
    left = dict(node_labels.labels)
    keys: dict[str, Any] = {}
    if node_labels.is_opted_out:
        if (OPT_OUT.items() <= left.items()) and not way.literal:
            left = {key: value for key, value in left.items() if key not in OPT_OUT}
        else:
            keys["operatorOptOut"] = False
    if not way.literal:
        shared = _sharing(left) if node_labels.driver in CLAIMABLE else None
        partition = way.keys.get("partition") or shared or _slices(left, node_labels)
        if partition:
            keys["partition"] = partition
        left = _without_derived(left, partition, node_labels)
    if left:
        keys["labels"] = left
    return keys


def _sharing(labels: Mapping[str, str]) -> dict[str, Any] | None:
    """How GPUs are shared, if the label names a device plugin configuration as gitgpu does."""
    match = _SHARED.fullmatch(labels.get(DEVICE_PLUGIN_CONFIG_LABEL, ""))
    return {_METHODS[match[1]]: {"replicas": int(match[2])}} if match and int(match[2]) > 1 else None


def _slices(labels: Mapping[str, str], node_labels: Labels) -> dict[str, Any] | None:
    """How GPUs are partitioned, if the label names a MIG layout of the GPU Operator as gitgpu does."""
    parts = [_SLICES.fullmatch(part) for part in labels.get(MIG_CONFIG_LABEL, "").split("_")]
    if node_labels.driver != "operator" or not all(parts):
        return None
    return {"mig": {"profiles": {part[2].replace(".me", "+me"): int(part[1]) for part in parts if part}}}


def _without_derived(labels: Mapping[str, str], partition: Any, node_labels: Labels) -> dict[str, str]:
    """The labels except those that gitgpu generates from `partition`. Another name of a configuration is a label."""
    if partition and "mig" in partition and node_labels.driver == "operator":
        return {key: value for key, value in labels.items() if key not in {MIG_CONFIG_LABEL, *HELD_BACK}}
    if partition and labels.get(DEVICE_PLUGIN_CONFIG_LABEL) == _own_name(partition):
        return {key: value for key, value in labels.items() if key != DEVICE_PLUGIN_CONFIG_LABEL}
    return dict(labels)


def _own_name(partition: Mapping[str, Any]) -> str:
    """The name that gitgpu gives to the configuration of a partition."""
    [(way, settings)] = partition.items()
    return f"mig-{settings.get('strategy', 'single')}" if way == "mig" else f"{NAMES[way]}-{settings['replicas']}"
