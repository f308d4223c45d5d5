"""NodePools of other clouds beside those of AKS: nothing is known of their sizes, but they may take a pod."""

from itertools import product

from gitgpu.conform.node.node_pools import AZURE_DOMAINS, NodePool, foreign_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.workload.pods import Pod
from gitgpu.model.syntax.requirement import ABSENT, Requirements, clash, requirement

_POOL = "karpenter.sh/nodepool"


def may_be_foreign(pod: Pod, objects: Objects) -> bool:
    """Could a NodePool of another cloud start a node with the labels that the pod requires?"""
    terms = pod.terms()
    return any(_may_meet(pool, term) for pool, term in product(foreign_pools(objects), terms))


def _may_meet(pool: NodePool, term: Requirements) -> bool:
    """What a size of the other cloud has of labels is not known; those of Azure it has not."""
    azure = any(key.startswith(AZURE_DOMAINS) and wanted.operator not in ABSENT for key, wanted in term.items())
    return not azure and not clash({**pool.together, _POOL: requirement(_POOL, "In", [pool.name])}, term)
