"""NodePools for other clouds next to those for AKS: their sizes are unknown, but they may accept a pod."""

from itertools import product

from gitgpu.model.names.labels import NODEPOOL_LABEL
from gitgpu.model.syntax.requirement import ABSENT, Requirements, clash, requirement
from gitgpu.objects.node.node_pools import AZURE_DOMAINS, NodePool, foreign_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod


def may_be_foreign(pod: Pod, objects: Objects) -> bool:
    """Whether a NodePool for another cloud could start a node with the labels that the pod requires."""
    terms = pod.terms()
    return any(_may_meet(pool, term) for pool, term in product(foreign_pools(objects), terms))


def _may_meet(pool: NodePool, term: Requirements) -> bool:
    """Whether the pool may meet the requirements.

    Labels of another cloud's sizes are unknown, except that none is Azure's.
    """
    azure = any(key.startswith(AZURE_DOMAINS) and required.operator not in ABSENT for key, required in term.items())
    return not azure and not clash(
        {**pool.together, NODEPOOL_LABEL: requirement(NODEPOOL_LABEL, "In", [pool.name])}, term
    )
