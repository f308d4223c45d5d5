"""The driver of a pool that does not use the operator's default, which is for the nodes of all other pools.

It sets `driverBranch`, or has InfiniBand on a cluster that selects nodes by labels. Before 26.7.0, the operator has no
such default: each pool gets its own object if one of them sets a branch.

It is in the layer of the nodes, because its kind exists only after the operator's chart is installed. Its selector is
the name of the pool, a label that every node has from the start: so no node has two drivers, and another branch changes
no label and replaces no node.
"""

from collections.abc import Iterator

from gitgpu.emit.chart.drivers import settings
from gitgpu.emit.emitter import Body, Emitter, tolerations
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.groups import NVIDIA_V1ALPHA1
from gitgpu.model.names.kinds import NVIDIA_DRIVER
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.gpus import PoolDriver


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One NVIDIADriver for each pool that needs one."""
    if not plan.operator:
        return
    for driver in plan.operator.drivers:
        yield Manifest(plan.cluster.name, Layer.NODES, _body(driver), driver.pool.origin.mark)


def _body(driver: PoolDriver) -> Body:
    [nodes] = driver.placement.pools  # one pool has one label
    spec: Body = {
        "driverType": "gpu",
        "repository": driver.driver.repository,
        "image": driver.driver.image,
        "version": driver.driver.version,
        "nodeSelector": dict.fromkeys([nodes.label], nodes.values[0]),
        "tolerations": tolerations(driver.placement.tolerations),
        **settings(direct=driver.pool.uses_network_operator, claimed=driver.claimed),
    }
    return {
        "apiVersion": NVIDIA_V1ALPHA1,
        "kind": NVIDIA_DRIVER.kind,
        "metadata": {"name": driver.pool.name},
        "spec": spec,
    }


EMITTER = Emitter(NVIDIA_DRIVER.kind, emit)
