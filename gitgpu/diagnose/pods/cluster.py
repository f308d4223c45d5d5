"""What is known about a cluster before its pods are looked at."""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from gitgpu.access import mapping_at
from gitgpu.diagnose.cause import NODE_FAULT, NODE_NOT_READY, STUCK_NODE, WITHOUT_GPUS, Answer
from gitgpu.diagnose.nodes.claims import Claim
from gitgpu.diagnose.nodes.reaching import why_kept_off
from gitgpu.diagnose.nodes.refusals import Refusal
from gitgpu.diagnose.nodes.software import failed_layout
from gitgpu.diagnose.pods.placed import Placed
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.kinds import NODE
from gitgpu.model.names.labels import INSTANCE_TYPE_LABEL
from gitgpu.model.names.prefixes import MIG_PREFIX
from gitgpu.model.syntax.quantity import amounts
from gitgpu.objects.objects import Identity, Item
from gitgpu.objects.workload.devices import is_gpu_resource
from gitgpu.objects.workload.pods import Pod, pods

_STUCK = (NODE_NOT_READY, WITHOUT_GPUS, STUCK_NODE)


class Cluster(NamedTuple):
    """The answers about nodes, NodeClaims and node classes, what Azure refused, and where the simulator places pods."""

    state: State
    region: str
    claims: Mapping[str, Claim]
    nodes: Mapping[str, Answer]
    classes: Mapping[str, Answer]
    refusals: tuple[Refusal, ...]
    placed: Mapping[Identity, Placed]

    def stuck_node(self, item: Item) -> Answer | None:
        """The answer about a node that is not Ready or lacks GPUs, if nothing else keeps a pod off it."""
        objects = self.state.objects
        pod = next((pod for pod in pods(objects) if pod.item.identity == item.identity), None) if self.nodes else None
        if pod is None or not any(is_gpu_resource(name, objects) for name in pod.requests()):
            return None
        stuck_nodes = [node for node in objects.of(*NODE) if self._is_stuck(node, pod)]
        return next((self.nodes[node.identity.name] for node in stuck_nodes if not why_kept_off(pod, node)), None)

    def _is_stuck(self, node: Item, pod: Pod) -> bool:
        about = self.nodes.get(node.identity.name)
        if about is None or about.cause.verdict != NODE_FAULT:
            return about is not None and about.cause.verdict in _STUCK
        # A node with too few GPUs for the pod, of a size that has enough.
        sku = self.state.objects.catalog.sku(mapping_at(node.body, "metadata", "labels").get(INSTANCE_TYPE_LABEL, ""))
        if sku is None:
            return False
        if failed_layout(node) and any(name.startswith(MIG_PREFIX) for name in pod.requests()):
            return True
        has = amounts(mapping_at(node.body, "status", "allocatable")).get(sku.resource, Decimal(0))
        return has < pod.requests().get(sku.resource, Decimal(0)) <= (sku.gpus or 0)
