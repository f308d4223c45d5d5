"""A DaemonSet that selects a pool by name but does not tolerate its taint."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import AGENTPOOL_LABEL, NODEPOOL_LABEL
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.node.node_pools import every_node_pool
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.taint import untolerated_taints


class _Nodes(NamedTuple):
    title: str
    taints: Iterable[Mapping[str, Any]]


def _check(objects: Objects) -> Iterator[Finding]:
    nodes_of = {
        (NODEPOOL_LABEL, pool.name): _Nodes(f"NodePool {pool.name}", pool.taints) for pool in every_node_pool(objects)
    }
    nodes_of |= {
        (AGENTPOOL_LABEL, pool.name): _Nodes(f"node pool {pool.name}", pool.taints)
        for pool in _pools_of_unique_name(objects)
    }
    for pod in pods(objects):
        for name in _selected_pools(pod):
            if name not in nodes_of:  # the pool is in other files
                continue
            nodes = nodes_of[name]
            taints = untolerated_taints(nodes.taints, pod.tolerations)
            if taints:
                yield _finding(pod, nodes, f"{taints[0].get('key')}={taints[0].get('value') or ''}".rstrip("="))


def _pools_of_unique_name(objects: Objects) -> Iterator[AgentPool]:
    """The AKS node pools with unique names. If several clusters have a pool of that name, any of them can be meant."""
    pools = list(agent_pools(objects))
    names = [pool.name for pool in pools]
    return (pool for pool in pools if names.count(pool.name) == 1)


def _selected_pools(pod: Pod) -> list[tuple[str, str]]:
    """The pools that a DaemonSet selects by name, each with the label that it uses, sorted."""
    selected: set[tuple[str, str]] = set()
    for term, key in product(pod.terms() if pod.is_daemon else (), (NODEPOOL_LABEL, AGENTPOOL_LABEL)):
        if key in term and term[key].operator == "In":
            selected.update(product([key], term[key].values))
    return sorted(selected)


def _finding(pod: Pod, nodes: _Nodes, taint: str) -> Finding:
    message = f"the DaemonSet selects the nodes of {nodes.title} but does not tolerate their taint {taint}"
    return Finding(pod.item, (*pod.pointer, "tolerations"), message, f"add a toleration for the taint {taint}")


RULE = Rule(
    code="POD022",
    name="daemonset-without-toleration-of-named-pool",
    severity=Severity.ERROR,
    summary="A DaemonSet selects the nodes of a pool by name but does not tolerate a taint of that pool.",
    help="The DaemonSet creates no pod on these nodes. If it is a device plugin, the nodes never advertise a GPU.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",
        "https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#taints-and-tolerations",
    ),
    check=_check,
)
