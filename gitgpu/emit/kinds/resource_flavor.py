"""Kueue's ResourceFlavors, one for the nodes of each pool that a team has a quota of, and the Topologies of pools."""

from collections.abc import Iterator, Mapping

from gitgpu.emit.emitter import Body, Emitter, tolerations
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.groups import KUEUE_V1BETA2
from gitgpu.model.names.kinds import RESOURCE_FLAVOR, TOPOLOGY
from gitgpu.model.spec.taint import Taint
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.queues import Flavor


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The flavors, and a topology for each pool with levels."""
    for flavor in plan.queues.flavors:
        yield Manifest(plan.cluster.name, Layer.WORKLOADS, _flavor(flavor), flavor.origin)
    origins = {flavor.topology: flavor.origin for flavor in plan.queues.flavors if flavor.topology}
    for name, origin in origins.items():
        levels = [{"nodeLabel": label} for label in plan.queues.topologies[name]]
        yield Manifest(plan.cluster.name, Layer.WORKLOADS, _body(TOPOLOGY.kind, name, {"levels": levels}), origin)


def _flavor(flavor: Flavor) -> Body:
    spec: Body = {"nodeLabels": dict(flavor.labels)}
    if flavor.taints:
        spec["nodeTaints"] = [_taint(taint) for taint in flavor.taints]
    if flavor.tolerations:
        spec["tolerations"] = tolerations(flavor.tolerations)
    if flavor.topology:
        spec["topologyName"] = flavor.topology
    return _body(RESOURCE_FLAVOR.kind, flavor.name, spec)


def _taint(taint: Taint) -> Body:
    value = {"value": taint.value} if taint.value else {}
    return {"key": taint.key, **value, "effect": taint.effect}


def _body(kind: str, name: str, spec: Mapping[str, object]) -> Body:
    return {"apiVersion": KUEUE_V1BETA2, "kind": kind, "metadata": {"name": name}, "spec": dict(spec)}


EMITTER = Emitter(RESOURCE_FLAVOR.kind, emit)
