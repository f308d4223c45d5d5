"""A pod that selects AKS node pools by name but does not tolerate their taints."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import AGENTPOOL_LABEL, LEGACY_AGENTPOOL_LABEL
from gitgpu.model.syntax.requirement import Requirements
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.node_constraints import is_readable
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.taint import taint_text, untolerated_taints

_NAMES = (LEGACY_AGENTPOOL_LABEL, AGENTPOOL_LABEL)  # AKS sets both to the name of the pool


def _check(objects: Objects) -> Iterator[Finding]:
    pools_by_name = _pools_of_unique_name(objects)
    if not pools_by_name:
        return
    for pod in pods(objects):
        # POD022 reports DaemonSets. A pod with nodeName is not scheduled, so NoSchedule does not keep it off.
        if pod.is_daemon or pod.spec.get("nodeName") or not is_readable(pod):
            continue
        terms = [_selected_names(term) for term in pod.terms()]
        # Other pools, or pools in other files, may accept the pod.
        if not all(names and names <= pools_by_name.keys() for names in terms):
            continue
        barred = {
            name: _untolerated_taint(pod, pools_by_name[name]) for name in chain.from_iterable(map(sorted, terms))
        }
        if all(barred.values()):
            name, taint = next(iter(barred.items()))
            message = f"the pod selects node pool {name} but does not tolerate its taint {taint_text(taint)}"
            yield Finding(
                pod.item, (*pod.pointer, "tolerations"), message, f"add a toleration for the taint {taint_text(taint)}"
            )


def _pools_of_unique_name(objects: Objects) -> dict[str, AgentPool]:
    """The pools by name, without those that share a name: with several clusters, the pod can mean any of them."""
    pools = list(agent_pools(objects))
    names = [pool.name for pool in pools]
    return {pool.name: pool for pool in pools if names.count(pool.name) == 1}


def _selected_names(term: Requirements) -> frozenset[str]:
    """The names of the node pools that a term selects; empty if it selects none by name."""
    requirements = [term[key] for key in _NAMES if key in term and term[key].operator == "In"]
    return frozenset(requirements[0].values) if requirements else frozenset()


def _untolerated_taint(pod: Pod, pool: AgentPool) -> Mapping[str, Any]:
    taints = untolerated_taints(pool.taints, pod.tolerations)
    return taints[0] if taints else {}


RULE = Rule(
    code="POD039",
    name="pod-without-toleration-of-named-pool",
    severity=Severity.ERROR,
    summary="A pod selects an AKS node pool by name but does not tolerate a taint of that pool.",
    help="A node selector does not override taints. AKS adds the taint "
    "kubernetes.azure.com/scalesetpriority=spot:NoSchedule to the nodes of a spot pool, even if the pool does not "
    "list it. The pod stays Pending.",
    sources=(
        "https://github.com/Azure/AKS/issues/3153",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",
        "https://learn.microsoft.com/azure/aks/spot-node-pool",
    ),
    check=_check,
)
