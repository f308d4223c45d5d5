"""What would happen to the nodes of running pools if their cluster got the objects of a spec."""

import re
from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.adopt.verdict import unchanged_pool
from gitgpu.compare.change import Change, facts_of, object_changes
from gitgpu.compare.nodes import Context, pools
from gitgpu.compare.normal_form import as_stored
from gitgpu.compare.pools import PoolChange, Remaining, pool_changes
from gitgpu.compare.sides import Sides
from gitgpu.compare.snapshot import Key, OverlayObject
from gitgpu.model.aks_node_pool import windows_driver
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.kinds import AKS_NODE_CLASS, MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL
from gitgpu.objects.objects import Identity
from gitgpu.plan.fields.agent_pool import without_unset

# People often redact the ID in output that they share.
_SUBSCRIPTION = re.compile(r"/subscriptions/[0-9a-f-]{36}/", re.IGNORECASE)
OverlayObjects = Mapping[Key, OverlayObject]
FILLED_IN = {  # values that AKS sets for unset properties; * for any value
    "kubeletDiskType": "OS",
    "nodeImageVersion": "*",
    "orchestratorVersion": "*",
    "powerState": "*",
    "workloadRuntime": "OCIContainer",
}
# Different requirements may allow the same nodes, so `pools` compares what they allow.
_REQUIREMENTS = "spec.template.spec.requirements"


class Compared(NamedTuple):
    """The changes of running pools and of single objects, by kind and name."""

    pools: Mapping[tuple[str, str], PoolChange]
    changes: Mapping[tuple[str, str], Change]

    def cost(self, kind: str, name: str, class_name: str) -> tuple[int, int]:
        """How much a pool would change, to choose between two specs: 1 if it loses nodes, then the number of fields."""
        pool = self.pools.get((kind, name))
        lost = pool is None or pool.touches_nodes
        fields = 0
        for key in ((kind, name), (AKS_NODE_CLASS.kind, class_name)):
            change = self.changes.get(key)
            if change:
                fields += sum(_is_compared(field.path) for field in change.fields)
        return int(lost), fields


def _is_compared(path: str) -> bool:
    return path.startswith("spec") and not path.startswith(_REQUIREMENTS)


def compare_nodes(before: OverlayObjects, after: OverlayObjects, region: str, context: Context) -> Compared:
    """The pools and their changes; objects that only one side has count as changes too."""
    was = {key: _plain(_with_owner(obj, after.get(key)), context) for key, obj in before.items()}
    now = {key: _plain(obj, context) for key, obj in after.items()}
    equal_keys = {key for key in was.keys() & now.keys() if was[key].body == now[key].body}
    still = {key for key in equal_keys if _stays(was[key], equal_keys)}
    left, new = _beyond(was, still), _beyond(now, still)
    changes = tuple(object_changes(left, new, context.catalog))
    sides = Sides(pools(left.values(), region, context), pools(new.values(), region, context))
    changed_pools = {(pool.of, pool.name): pool for pool in pool_changes(sides, changes, Remaining(), context)}
    changed_pools |= {(own.kind, own.name): unchanged_pool(own.kind, own.name) for _, own in still}
    by_object = {(change.object.identity.kind, change.object.identity.name): change for change in changes}
    return Compared(changed_pools, by_object)


def _beyond(overlay_objects: OverlayObjects, keys: Container[Key]) -> dict[Key, OverlayObject]:
    """The objects whose keys are not among these."""
    return {key: obj for key, obj in overlay_objects.items() if key not in keys}


def _stays(obj: OverlayObject, same: Collection[Key]) -> bool:
    """Whether an unchanged object is an AKS node pool, or a NodePool whose node class is unchanged too."""
    name = reach(obj.body, "spec", "template", "spec", "nodeClassRef", "name")
    class_identity = Identity(*AKS_NODE_CLASS, "", str(name))
    return obj.identity.kind == MANAGED_CLUSTERS_AGENT_POOL.kind or (
        obj.identity.kind == NODE_POOL.kind and ("", class_identity) in same
    )


def _plain(obj: OverlayObject, context: Context) -> OverlayObject:
    """The object in a normal form in which objects with the same meaning are equal.

    Equal objects need no comparison field by field.
    """
    # Other metadata does not affect nodes.
    named = {key: value for key, value in obj.body["metadata"].items() if key in ("name", "namespace")}
    body = as_stored({**obj.body, "metadata": named}, facts_of(obj, context.catalog))
    if obj.identity.kind == NODE_POOL.kind:
        template = reach(body, "spec", "template", "spec")
        for key in {"requirements", "taints"} & mapping_at(template).keys():
            # Their order has no meaning.
            template[key] = sorted(list_at(template[key]), key=str)
    if obj.identity.kind == MANAGED_CLUSTERS_AGENT_POOL.kind:
        body["spec"] = _plain_agents(mapping_at(body, "spec"), context.catalog)
    return obj._replace(body=body)


def _plain_agents(spec: Mapping[str, Any], catalog: Catalog) -> dict[str, Any]:
    """The properties of an AKS node pool, without defaults and values that AKS chooses itself."""
    properties = without_defaults(spec, catalog)
    if properties.get("enableAutoScaling"):
        properties.pop("count", None)  # chosen by the autoscaler
    properties = {key: without_unset(value) for key, value in properties.items()}
    properties = {key: value for key, value in properties.items() if not is_filled_in(key, value)}
    size = catalog.sku(str(properties.get("vmSize")))  # size names in Azure are not case-sensitive
    if size is None:
        return properties
    profile = mapping_at(properties, "gpuProfile")
    is_windows = properties.get("osType") == "Windows"
    if is_windows and str(profile.get("driverType")).upper() == windows_driver(catalog, size):  # AKS's default
        others = {key: value for key, value in profile.items() if key != "driverType"}
        properties = {key: value for key, value in properties.items() if key != "gpuProfile" or others}
        properties |= {"gpuProfile": others} if others else {}
    return {**properties, "vmSize": size.name}


def without_defaults(spec: Mapping[str, Any], catalog: Catalog) -> dict[str, Any]:
    """The properties of an AKS node pool, with null in place of values that are AKS defaults."""
    properties = dict(spec)
    for entry in catalog.must("edits", MANAGED_CLUSTERS_AGENT_POOL.kind.lower())["unwritten"]:
        _, *path = entry["field"].split(".")
        if path[0] in properties and reach(properties, *path) == entry["value"]:
            properties = _without(properties, path)
    return properties


def _without(properties: Mapping[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """The properties with null at a path of keys that they have."""
    key, *below = path
    return {**properties, key: _without(properties[key], below) if below else None}


def is_filled_in(key: str, value: Any) -> bool:
    """Whether `az` prints this value for a node pool property that is not set."""
    return value in (None, False, [], {}, "") or (key in FILLED_IN and FILLED_IN[key] in ("*", value))


def _with_owner(obj: OverlayObject, ours: OverlayObject | None) -> OverlayObject:
    """A node pool with the owner, name and API version that gitgpu writes: Azure identifies the cluster differently."""
    owner = str(reach(obj.body, "spec", "owner", "armId"))
    if obj.identity.kind != MANAGED_CLUSTERS_AGENT_POOL.kind or ours is None:
        return obj
    if _SUBSCRIPTION.match(owner) and owner.lower() != str(reach(ours.body, "spec", "owner", "armId")).lower():
        return obj
    spec = {
        **mapping_at(obj.body, "spec"),
        "owner": reach(ours.body, "spec", "owner"),
        "azureName": reach(ours.body, "spec", "azureName"),
    }
    return obj._replace(body={**obj.body, "apiVersion": ours.body["apiVersion"], "spec": spec})
