"""How the pods of a pool access InfiniBand: the device plugin of a NicClusterPolicy, or AKS on its node pool."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at, reach, rows
from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.operated_images import why_operated_stays
from gitgpu.adopt.stack.reached_nodes import pool_names, pools_outside, runs_on
from gitgpu.adopt.stack.view import PoolNodes, View
from gitgpu.load.parse.quick import mapping_in
from gitgpu.model.names.kinds import NIC_CLUSTER_POLICY
from gitgpu.model.names.labels import OUR_INFINIBAND_LABEL
from gitgpu.objects.node.agent_pools import has_managed_nics
from gitgpu.objects.objects import Item
from gitgpu.objects.software.daemons import daemons
from gitgpu.objects.workload.pods import REQUIRED
from gitgpu.plan.rdma import NICS

_MODE = ("spec", "networkProfile", "dranet", "mode")
_PLUGINS = {"sriovDevicePlugin": "sriov", "rdmaSharedDevicePlugin": "shared"}


def fabrics(view: View) -> Iterator[Evidence]:
    """`rdma` of each pool whose NICs AKS manages, or with InfiniBand whose nodes a NicClusterPolicy selects."""
    managed_pools = [nodes for nodes in view.pools if nodes.agent and has_managed_nics(nodes.agent)]
    for nodes in managed_pools:
        reason = "its networkProfile.dranet.mode is Managed"
        yield Evidence(("rdma",), "managed", reason, nodes.nodes, _MODE, nodes.pool.name)
    if why_policy_stays(view):
        return
    for item in view.objects.of(*NIC_CLUSTER_POLICY):
        methods = [(key, way) for key, way in _PLUGINS.items() if reach(item.body, "spec", key) is not None]
        for nodes in view.pools:
            # For a policy with both plugins the spec has no key.
            if len(methods) == 1 and _is_selected_by(item, nodes, view) and _has_infiniband(nodes, view):
                key, way = methods[0]
                reason = f"NicClusterPolicy {item.identity.name} runs its {key} on its nodes"
                found = Evidence(("rdma",), way, reason, view.original(item), ("spec", key), nodes.pool.name)
                twice = f"{reason}, whose NICs AKS manages already: networkProfile.dranet.mode is Managed"
                yield found._replace(fate=Fate.INEXPRESSIBLE, reason=twice) if nodes in managed_pools else found


def why_policy_stays(view: View) -> str:
    """Why the NicClusterPolicy stays with its owner; "" if gitgpu's can take its place. A cluster has one that counts.

    gitgpu's selects only nodes of the fleet, and its device plugins advertise the NICs by names of their own.
    """
    for item in view.objects.of(*NIC_CLUSTER_POLICY):
        for nodes in pools_outside(view):
            if _is_selected_by(item, nodes, view) and _has_infiniband(nodes, view):
                where = f"it runs on the nodes of {nodes.pool.name}"
                return f"{where}, where gitgpu's would not: it stays as it is"
        for key, way in _PLUGINS.items():
            names = sorted(_advertised(item, key))
            if names not in ([], [NICS[way]]):
                listed = ", ".join(names)
                return f"its {key} advertises {listed}, and gitgpu's would advertise {NICS[way]}: it stays as it is"
    return why_operated_stays(view, NIC_CLUSTER_POLICY.kind)


def _advertised(policy: Item, key: str) -> Iterator[str]:
    """The resources of a device plugin, as far as its configuration can be read."""
    config = mapping_in(str(reach(policy.body, "spec", key, "config") or ""))
    for row in (*rows(config, "configList"), *rows(config, "resourceList")):
        yield f"{row.get('resourcePrefix') or 'rdma'}/{row.get('resourceName')}"


def _is_selected_by(policy: Item, nodes: PoolNodes, view: View) -> bool:
    """Whether the affinity of the policy selects the nodes, as far as names of pools and gitgpu's own label say."""
    # The spec of a policy has the form of a pod's `affinity`.
    terms = list_at(policy.body, "spec", "nodeAffinity", *REQUIRED[2:])
    return not terms or any(
        all(_may_meet(mapping_at(rule), nodes, view) for rule in list_at(term, "matchExpressions")) for term in terms
    )


def _may_meet(rule: Mapping[str, Any], nodes: PoolNodes, view: View) -> bool:
    """Whether the nodes can meet an expression of the affinity."""
    key, is_wanted = str(rule.get("key")), rule.get("operator") == "In"
    if key == OUR_INFINIBAND_LABEL and is_wanted:
        # Node Feature Discovery sets it where its worker runs.
        workers = list(daemons(view.objects, "feature-discovery"))
        return not workers or any(runs_on(worker, nodes, view) for worker in workers)
    names = pool_names(nodes)
    if key not in names or not (is_wanted or rule.get("operator") == "NotIn"):
        return True
    return (names[key] in list_at(rule, "values")) is is_wanted


def _has_infiniband(nodes: PoolNodes, view: View) -> bool:
    skus = nodes.karpenter.skus if nodes.karpenter else ()
    if nodes.agent:
        skus = tuple(sku for _, _, sku in nodes.agent.sizes(view.objects) if sku)
    return bool(skus) and all(sku.rdma for sku in skus)
