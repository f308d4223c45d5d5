"""Azure's node class for Karpenter: one for each NodePool, so that editing a pool never affects nodes of another.

Only pools that name the same class share one. Rules ensure that all of them would generate the same class.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.node.places import node_class_places
from gitgpu.load.spec.normalise import merge
from gitgpu.model.names.groups import KARPENTER_AZURE_V1BETA1
from gitgpu.model.names.kinds import AKS_NODE_CLASS
from gitgpu.plan.decided.cluster import ClusterPlan, PoolPlan
from gitgpu.plan.fields.node_class import FIELDS, SETTINGS, TAGS


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The AKSNodeClasses of the pools whose nodes Karpenter creates. The first pool decides one that pools share."""
    pools = [pool for pool in plan.pools if pool.pool.by_karpenter]
    # Reversed, because the last entry of a name stays in the mapping.
    first = {pool.pool.node_class: pool for pool in reversed(pools)}
    for name, pool in sorted(first.items()):
        body = {
            "apiVersion": KARPENTER_AZURE_V1BETA1,
            "kind": AKS_NODE_CLASS.kind,
            "metadata": {"name": name},
            "spec": _spec(pool),
        }
        mark, places = pool.pool.origin.mark, node_class_places(pool)
        yield Manifest(plan.cluster.name, Layer.NODES, body, mark, places=places)


def _spec(pool: PoolPlan) -> Body:
    """Only what the spec sets: writing a default that the stored object does not have would replace every node."""
    rows = (*FIELDS, *(SETTINGS[name] for name in pool.pool.settings), TAGS)
    wanted = {row.name: row.write(pool) for row in rows}
    written = {key: value for key, value in wanted.items() if value not in (None, {})}
    explicit = pool.pool.objects.explicit_defaults.get("nodeClass", {})
    return dict(merge(written, explicit))


EMITTER = Emitter(AKS_NODE_CLASS.kind, emit)
