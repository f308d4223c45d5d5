"""Pools that share an AKSNodeClass must have the same settings for it."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.node_class import class_settings
from gitgpu.model.value_origins import is_written, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import karpenter_pools_with_clusters
from gitgpu.spelling import join_names

NAME = ("spec", "nodeClass", "name")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools of a cluster with the same class and different settings; each pool is reported once."""
    first: dict[tuple[str, str], Pool] = {}
    for pool, clusters in karpenter_pools_with_clusters(inputs):
        finding = None
        for cluster in clusters:
            other = first.setdefault((cluster.name, pool.node_class), pool)
            finding = finding or (_finding(other, pool, cluster) if other is not pool else None)
        if finding:
            yield finding


def _finding(other: Pool, pool: Pool, cluster: Cluster) -> Finding | None:
    settings, others = class_settings(pool, cluster), class_settings(other, cluster)
    keys = sorted(key for key in settings.keys() | others.keys() if settings.get(key) != others.get(key))
    if not keys:
        return None
    # The class may have the name of the other pool, which does not write it.
    named = pool if is_written(pool.origin, NAME) else other
    partner = other if named is pool else pool
    owner = with_place(partner.name, partner.origin, NAME)
    message = f"the pool shares AKSNodeClass {named.node_class} with {owner}, but they differ in {join_names(keys)}"
    return Finding(named.origin, NAME, message, "make these settings equal, or use another nodeClass.name")


RULE = Rule(
    code="NCL001",
    name="conflicting-node-class-settings",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="Two pools of a cluster use the same AKSNodeClass with different settings.",
    help="A cluster has one AKSNodeClass with a given name, so all pools that use it get nodes with the same image, "
    "kubelet settings, tags and driver. Without nodeClass, every pool has its own.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml",
    ),
    check=_check,
)
