"""Karpenter's NodePool."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.node.places import node_pool_places
from gitgpu.emit.node.pool_annotations import pool_annotations
from gitgpu.model.names.groups import KARPENTER_AZURE_GROUP, KARPENTER_V1
from gitgpu.model.names.kinds import AKS_NODE_CLASS, NODE_POOL
from gitgpu.model.spec.taint import Taint
from gitgpu.plan.decided.cluster import ClusterPlan, PoolPlan, Requirement
from gitgpu.plan.fields.node_pool import OF_DISRUPTION, OF_TEMPLATE


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One NodePool for each pool whose nodes Karpenter creates."""
    for pool in plan.pools:
        if pool.pool.by_karpenter:
            manifest = Manifest(plan.cluster.name, Layer.NODES, _body(pool), pool.pool.origin.mark, rows=pool.rows)
            yield manifest._replace(places=node_pool_places(pool))


def _body(pool: PoolPlan) -> Body:
    spec: Body = {"template": _template(pool)}
    if disruption := _disruption(pool):
        spec["disruption"] = disruption
    if pool.pool.objects.replicas is not None:
        spec["replicas"] = pool.pool.objects.replicas
    if pool.limits:
        spec["limits"] = dict(pool.limits)
    if pool.pool.weight:
        spec["weight"] = pool.pool.weight
    metadata = {"name": pool.name, **pool_annotations(pool)}
    return {"apiVersion": KARPENTER_V1, "kind": NODE_POOL.kind, "metadata": metadata, "spec": spec}


def _template(planned: PoolPlan) -> Body:
    """Empty values are omitted unless the spec keeps them: Karpenter hashes empty and absent lists differently."""
    pool = planned.pool
    spec: Body = {
        "nodeClassRef": {"group": KARPENTER_AZURE_GROUP, "kind": AKS_NODE_CLASS.kind, "name": pool.node_class},
        "requirements": [_requirement(wanted) for wanted in planned.requirements],
    }
    if planned.taints:
        spec["taints"] = [_taint(taint) for taint in planned.taints]
    if pool.startup_taints:
        spec["startupTaints"] = [_taint(taint) for taint in pool.startup_taints]
    for key in OF_TEMPLATE:
        if key in pool.disruption:
            spec[key] = pool.disruption[key]
    metadata = {"labels": dict(planned.labels), "annotations": dict(pool.objects.annotations)}
    metadata = {key: entries for key, entries in metadata.items() if entries}
    for key, empty in pool.objects.explicit_defaults.get("nodePool", {}).items():
        (metadata if key in ("labels", "annotations") else spec).setdefault(key, empty)
    return {"metadata": metadata, "spec": spec} if metadata else {"spec": spec}


def _requirement(wanted: Requirement) -> Body:
    values = {"values": list(wanted.values)} if wanted.values else {}
    minimum = {"minValues": wanted.min_values} if wanted.min_values else {}
    return {"key": wanted.key, "operator": wanted.operator, **values, **minimum}


def _taint(taint: Taint) -> Body:
    value = {"value": taint.value} if taint.value else {}
    return {"key": taint.key, **value, "effect": taint.effect}


def _disruption(pool: PoolPlan) -> Body:
    """A retiring pool must not keep its empty nodes. Only budgets apply to a pool of fixed size."""
    disruption = {key: pool.pool.disruption[key] for key in OF_DISRUPTION if key in pool.pool.disruption}
    if pool.pool.objects.replicas is not None and not disruption.get("budgets"):
        return {}
    kept = pool.pool.retire and disruption.get("consolidateAfter") == "Never"
    return {**disruption, "consolidateAfter": "0s"} if kept else disruption


EMITTER = Emitter(NODE_POOL.kind, emit)
