"""Karpenter NodePools and their AKSNodeClasses as groups of nodes."""

from collections.abc import Iterator, Mapping

from gitgpu.access import reach
from gitgpu.model.fleet import OS_DISK_GB
from gitgpu.model.names.labels import NODEPOOL_LABEL
from gitgpu.model.syntax.quantity import amounts
from gitgpu.model.syntax.requirement import Requirements, requirement
from gitgpu.objects.node.node_pools import LABELS, REQUIREMENTS, SPEC, NodePool, node_class, node_pools, terms
from gitgpu.objects.objects import Item
from gitgpu.simulate.instance.mig import selected_layout
from gitgpu.simulate.instance.overhead import Daemon, daemons_on
from gitgpu.simulate.instance.sharing import shared_resources
from gitgpu.simulate.node.node_group import Maker, NodeGroup
from gitgpu.simulate.node.node_specs import NodeSpec, instance_types_of
from gitgpu.simulate.node.not_ready import not_ready
from gitgpu.simulate.world import World
from gitgpu.source import Pointer


def karpenter_groups(world: World) -> Iterator[NodeGroup]:
    """Every NodePool that can be read."""
    well_known = frozenset(world.objects.catalog.must("placement", "aks")["wellKnown"])
    for pool in node_pools(world.objects):
        yield _group(pool, well_known, world)


def _group(pool: NodePool, well_known: frozenset[str], world: World) -> NodeGroup:
    owner = node_class(pool, world.objects)
    node = {**pool.together, NODEPOOL_LABEL: requirement(NODEPOOL_LABEL, "In", [pool.name])}
    taints = tuple(pool.taints)
    daemons = daemons_on(world.daemons, node, taints, well_known, world.objects)
    instance_types = instance_types_of(_node_spec(owner, node, daemons, world), world)
    offered = world.offerings.meeting(node)
    # With `replicas`, the NodePool is static: Karpenter does not start a node for a pod.
    fixed = reach(pool.item.body, "spec", "replicas")
    return NodeGroup(
        name=pool.name,
        maker=Maker.KARPENTER if fixed is None else Maker.FIXED,
        item=pool.item,
        node=node,
        well_known=well_known,
        taints=taints,
        instance_types=instance_types,
        types=instance_types.meeting(node.values()) & instance_types.selling(offered) & instance_types.bearing,
        offered=offered,
        limits=amounts(pool.limits),
        min_values={wanted.key: wanted.minimum for wanted in node.values() if wanted.minimum},
        counts_allowed=world.counts_allowed,
        weight=reach(pool.item.body, "spec", "weight") or 0,
        pointers=_pointers(pool),
        min_nodes=fixed or 0,
        not_ready=not_ready(pool, owner, world),
        requires=("encryptionAtHost",) if terms(owner, world.objects.catalog).encryption_at_host else (),
    )


def _node_spec(owner: Item | None, node: Requirements, daemons: tuple[Daemon, ...], world: World) -> NodeSpec:
    """What the node class `owner` and the NodePool set on every node."""
    spec = (reach(owner.body, "spec") or {}) if owner else {}
    return NodeSpec(
        terms=terms(owner, world.objects.catalog),
        disk=spec.get("osDiskSizeGB") or OS_DISK_GB,
        max_pods=spec.get("maxPods") or world.max_pods,
        daemons=daemons,
        shares=shared_resources(node, world.objects),
        slices=selected_layout(node, world.objects),
    )


def _pointers(pool: NodePool) -> dict[str, Pointer]:
    keys: Mapping[str, Pointer] = {demand.key: demand.place for demand in pool.label_requirements}
    fixed: dict[str, Pointer] = {
        "requirements": REQUIREMENTS,
        "taints": (*SPEC, "taints"),
        "labels": LABELS,
        "limits": ("spec", "limits"),
        "class": (*SPEC, "nodeClassRef"),
    }
    return {**fixed, **keys}
