"""Converts a NodePool with its AKSNodeClass to the spec of a GpuPool."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.adopt.adoption import GpuNodes
from gitgpu.adopt.node.limits import limit_keys
from gitgpu.adopt.node.node_class import class_keys, driver_of
from gitgpu.adopt.node.node_labels import Labels, label_keys
from gitgpu.adopt.node.node_requirements import PoolRequirements, capacity_types, exact_keys, requirement_keys
from gitgpu.compare.nodes import Context, Pool
from gitgpu.model.driver_owner import AKS_ONLY
from gitgpu.model.spec.taint import SPOT
from gitgpu.plan.fields.node_pool import KEYS, OF_DISRUPTION, OF_TEMPLATE
from gitgpu.source import Pointer

PLACES: Mapping[Pointer, Pointer] = {  # the fields of a NodePool, and the key of a GpuPool that sets each
    ("metadata", "name"): ("metadata", "name"),
    ("metadata", "labels"): ("metadata", "labels"),
    ("metadata", "annotations"): ("metadata", "annotations"),
    **{("spec", *field): ("spec", *key) for field, key in KEYS.items()},
}


class Around(NamedTuple):
    """What else affects the spec of a pool: the driver of the stack, and the keys that were inferred with the stack.

    With `literal`, labels and requirements are kept as they are instead of being converted to other keys. `subnet` is
    the subnet of the cluster.
    """

    driver: str
    keys: Mapping[str, Any]
    literal: bool = False
    subnet: str = ""


def node_pool_keys(nodes: GpuNodes, pool: Pool, around: Around, context: Context) -> dict[str, Any]:
    """The spec of a GpuPool that generates this NodePool and its AKSNodeClass, with defaults but without `clusters`."""
    karpenter = pool.karpenter
    if karpenter is None:
        raise ValueError(f"NodePool {nodes.name} does not match its schema")
    class_spec = _class_spec(nodes)
    requirements = PoolRequirements(karpenter.entries, pool.region, class_spec.get("osDiskSizeGB"))
    required = exact_keys(requirements) if around.literal else requirement_keys(requirements, nodes, context.catalog)
    class_values = class_keys(class_spec, context.catalog.must("edits", "aksnodeclass"))
    # The Cluster sets this subnet for all its pools.
    if class_values.get("subnet") == around.subnet:
        class_values.pop("subnet", None)
    image = {**class_values.pop("image", {}), **required.pop("image", {})}
    driver = around.keys.get("driver") or _driver(class_spec, around)
    labels = label_keys(Labels(karpenter.labels, driver, nodes.skus), around)
    share = labels.get("partition") or around.keys.get("partition")
    spec: dict[str, Any] = {**required, **class_values, **around.keys, **labels, "driver": driver}
    spec |= {"image": image} if image else {}
    spec |= limit_keys(karpenter.limits, nodes.skus, share)
    spec |= _rest(nodes, pool.body, only_spot=required.get("capacity", capacity_types(requirements)) == ["spot"])
    return {**spec, **_explicit(nodes.observed.body, class_values)}


def _explicit(body: Mapping[str, Any], class_values: Mapping[str, Any]) -> dict[str, Any]:
    """The `explicitDefaults`: empty fields that the NodePool or its node class writes out."""
    explicit = dict(class_values.get("explicitDefaults", {}))
    template = reach(body, "spec", "template")
    places = (("spec", "taints"), ("spec", "startupTaints"), ("metadata", "labels"), ("metadata", "annotations"))
    written = {path[-1]: reach(template, *path) for path in places}
    empty = {key: value for key, value in written.items() if value in ([], {})}
    if empty:
        explicit["nodePool"] = empty
    return {"explicitDefaults": explicit} if explicit else {}


def _driver(class_spec: Mapping[str, Any], around: Around) -> str:
    """The driver that the node class sets; if AKS installs none, `operator` if the stack uses it, else `none`."""
    driver = driver_of(class_spec)
    if driver:
        return around.driver if (driver, around.driver) == ("aks", AKS_ONLY) else driver
    return around.driver if around.driver in ("operator", "none") else "none"


def _class_spec(nodes: GpuNodes) -> Mapping[str, Any]:
    body = nodes.node_class.body if nodes.node_class else {}
    return {key: value for key, value in (reach(body, "spec") or {}).items() if value is not None}


def _rest(nodes: GpuNodes, body: Mapping[str, Any], *, only_spot: bool) -> dict[str, Any]:
    """The keys that depend neither on sizes nor on labels."""
    spec, template = body["spec"], body["spec"]["template"]["spec"]
    taints = template.get("taints") or ()
    # gitgpu taints spot nodes unless the spec says otherwise.
    implied_taints = [taint for taint in taints if only_spot and _is_spot(taint)]
    name = template["nodeClassRef"]["name"]
    keys: dict[str, Any] = {
        "taints": [taint_keys(taint) for taint in taints if taint not in implied_taints],
        "disruption": _disruption(spec),
    }
    if template.get("startupTaints"):
        keys["startupTaints"] = [taint_keys(taint) for taint in template["startupTaints"]]
    keys |= {key: spec[key] for key in ("weight", "replicas") if spec.get(key) is not None}
    if annotations := reach(body, "spec", "template", "metadata", "annotations"):
        keys["annotations"] = dict(annotations)
    if only_spot and not implied_taints:
        keys["spotTaint"] = False
    if name != nodes.name:
        keys["nodeClass"] = {"name": name}
    return keys


def _disruption(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of `disruption`, which include lifetimes of the template."""
    template, disruption = spec["template"]["spec"], spec.get("disruption") or {}
    keys = {key: disruption.get(key) for key in OF_DISRUPTION} | {key: template.get(key) for key in OF_TEMPLATE}
    return {key: value for key, value in keys.items() if value is not None}


def _is_spot(taint: Mapping[str, Any]) -> bool:
    return (taint.get("key"), taint.get("value"), taint.get("effect")) == SPOT


def taint_keys(taint: Mapping[str, Any]) -> dict[str, Any]:
    """The taint as in the spec, without parts that are empty."""
    return {key: taint[key] for key in ("key", "value", "effect") if taint.get(key)}
