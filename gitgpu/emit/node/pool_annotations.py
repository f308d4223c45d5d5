"""Annotations in the metadata of a pool itself, where they replace no node."""

from gitgpu.emit.emitter import Body
from gitgpu.model.driver_owner import AKS_ONLY
from gitgpu.model.software.other_owner import ANNOTATION
from gitgpu.plan.decided.cluster import PoolPlan


def pool_annotations(pool: PoolPlan) -> Body:
    """`annotations` for a pool whose GPUs belong to other software; empty for other pools."""
    return {"annotations": dict(ANNOTATION)} if pool.driver == AKS_ONLY else {}
