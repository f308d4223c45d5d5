"""Converts an AKS node pool to the spec of a GpuPool."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import reach, text_at
from gitgpu.adopt.adoption import GpuNodes
from gitgpu.adopt.comparison import without_defaults
from gitgpu.adopt.node.aks_mig import mig_keys
from gitgpu.adopt.node.node_labels import Labels, label_keys
from gitgpu.adopt.node.node_pool import Around, taint_keys
from gitgpu.adopt.node.read_fields import read_fields
from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import AKS_ONLY, BY_AKS
from gitgpu.model.spec.taint import SPOT, parse_taint
from gitgpu.objects.node.agent_pools import size_profiles
from gitgpu.plan.fields.agent_pool import KEYS, PROPERTIES, RESOURCES, SETTINGS, name_in_operator
from gitgpu.source import Pointer

_DEFAULT_COUNT = 1  # nodes of a pool that sets no count, according to Azure's REST API
_ROWS = (*PROPERTIES, *SETTINGS.values(), *RESOURCES)
PLACES: Mapping[Pointer, Pointer] = {  # the fields of a node pool, and the key of a GpuPool that sets each
    ("metadata", "name"): ("metadata", "name"),
    ("metadata", "labels"): ("metadata", "labels"),
    ("metadata", "annotations"): ("metadata", "annotations"),
    ("spec", "owner"): ("spec", "resourceId"),  # of the Cluster
    **{("spec", *field): ("spec", *key) for field, key in KEYS.items()},
}


def agent_pool_keys(nodes: GpuNodes, around: Around, catalog: Catalog) -> dict[str, Any]:
    """The spec of a GpuPool that generates this node pool, with defaults but without `clusters`."""
    spec = without_defaults(nodes.observed.body["spec"], catalog)
    driver = around.keys.get("driver") or _driver(spec, around)
    partition = mig_keys(spec, nodes.skus[0], catalog) if driver in BY_AKS else None
    if partition:
        around = around._replace(keys={"partition": partition, **around.keys})
    keys: dict[str, Any] = {
        **read_fields((row, spec.get(name_in_operator(row))) for row in _ROWS),
        "sku": [sku.name for sku in nodes.skus] if len(nodes.skus) > 1 else nodes.skus[0].name,
        "nodes": _counts(spec),
        "taints": _taints(spec),
        "driver": driver,
        "driverType": reach(spec, "gpuProfile", "driverType"),
        **around.keys,
        **_label_keys(Labels(spec.get("nodeLabels") or {}, driver, nodes.skus), around, spec.get("osType")),
        **_names(nodes),
    }
    if driver not in BY_AKS and spec.get("gpuInstanceProfile"):  # it has no effect, and AKS cannot change it
        keys["agentPool"] = {**keys.get("agentPool", {}), "gpuInstanceProfile": spec["gpuInstanceProfile"]}
    if keys.get("subnet") == around.subnet:  # of the cluster
        del keys["subnet"]
    # An empty list of taints stays: without one, a GpuPool gets the default taint.
    return {key: value for key, value in keys.items() if value not in (None, {}, []) or key == "taints"}


def _label_keys(node_labels: Labels, around: Around, os_type: Any) -> dict[str, Any]:
    """The keys of a GpuPool that generate these labels."""
    keys = label_keys(node_labels, around)
    if os_type == "Windows":
        keys.pop("operatorOptOut", None)  # the GPU Operator does not run on Windows
    return keys


def _taints(spec: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The taints of the pool without the one that AKS adds to spot nodes."""
    taints = [parse_taint(text) for text in spec.get("nodeTaints") or ()]
    added = SPOT if spec.get("scaleSetPriority") == "Spot" else None
    return [taint_keys(taint._asdict()) for taint in taints if taint != added]


def _names(nodes: GpuNodes) -> dict[str, Any]:
    name = reach(nodes.observed.body, "spec", "azureName") or nodes.name
    return {} if name == nodes.name.replace("-", "") else {"nodePoolName": name}


def _driver(spec: Mapping[str, Any], around: Around) -> str:
    if reach(spec, "gpuProfile", "nvidia", "managementMode") == "Managed":
        return "managed"
    if reach(spec, "gpuProfile", "driver") != "None":
        return around.driver if around.driver == AKS_ONLY and spec.get("osType") != "Windows" else "aks"
    return around.driver if around.driver in ("operator", "none") else "none"


def _counts(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The bounds of the number of nodes; if sizes of virtual machines have different ones, those of each size."""
    profiles = [profile for _, profile in size_profiles(spec)]
    sizes = {text_at(each, "size"): _bounds({**each, "enableAutoScaling": "maxCount" in each}) for each in profiles}
    if not sizes:
        return _bounds(spec)
    first, *others = sizes.values()
    return first if all(other == first for other in others) else {"sizes": sizes}


def _bounds(spec: Mapping[str, Any]) -> dict[str, int]:
    """The bounds of the autoscaler; without it, the fixed number of nodes as both bounds."""
    if spec.get("enableAutoScaling"):
        return {"min": spec.get("minCount") or 0, "max": spec.get("maxCount") or 1}
    count = spec.get("count")
    fixed = _DEFAULT_COUNT if count is None else count
    return {"min": fixed, "max": fixed}
