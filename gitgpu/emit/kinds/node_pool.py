"""Karpenter's NodePool."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.fleet import Taint
from gitgpu.plan.decided.cluster import ClusterPlan, PoolPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One NodePool a pool, where Karpenter makes nodes."""
    for one in plan.pools if not plan.cluster.has_node_pools else ():
        yield Manifest(plan.cluster.name, Layer.NODES, _body(one), one.pool.origin.mark, rows=one.rows)


def _body(one: PoolPlan) -> Body:
    spec: Body = {"template": _template(one), "disruption": _disruption(one)}
    if one.limits:
        spec["limits"] = dict(one.limits)
    if one.pool.weight:
        spec["weight"] = one.pool.weight
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": one.name}, "spec": spec}


def _template(one: PoolPlan) -> Body:
    """What is empty is left out: Karpenter hashes an empty list and an absent one differently."""
    pool = one.pool
    spec: Body = {
        "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": one.name},
        "requirements": [
            {"key": want.key, "operator": want.operator, "values": list(want.values)} for want in one.requirements
        ],
    }
    if one.taints:
        spec["taints"] = [_taint(taint) for taint in one.taints]
    if pool.startup_taints:
        spec["startupTaints"] = [_taint(taint) for taint in pool.startup_taints]
    for key in ("expireAfter", "terminationGracePeriod"):
        if key in pool.disruption:
            spec[key] = pool.disruption[key]
    template: Body = {"metadata": {"labels": dict(one.labels)}} if one.labels else {}
    return {**template, "spec": spec}


def _taint(taint: Taint) -> Body:
    value = {"value": taint.value} if taint.value else {}
    return {"key": taint.key, **value, "effect": taint.effect}


def _disruption(one: PoolPlan) -> Body:
    """A pool that retires must not keep its empty nodes."""
    keys = ("consolidationPolicy", "consolidateAfter", "budgets")
    told = {key: one.pool.disruption[key] for key in keys if key in one.pool.disruption}
    kept = one.pool.retire and told.get("consolidateAfter") == "Never"
    return {**told, "consolidateAfter": "0s"} if kept else told


EMITTER = Emitter("NodePool", emit)
