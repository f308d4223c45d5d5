"""A cluster must have a network that node auto-provisioning supports."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import KARPENTER, Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import Origin
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule

REFUSED = {
    "plugin": ("kubenet", "plugin: azure and mode: overlay"),
    "mode": ("pod-subnet", "mode: overlay, or mode: node-subnet"),
    "policy": ("calico", "policy: cilium"),
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    for cluster in inputs.clusters:
        if cluster.provisioner == KARPENTER:
            yield from _faults(cluster, cluster.origin)
        elif karpenter_pools := [pool for pool in inputs.pools_on(cluster) if pool.by_karpenter]:
            yield from _faults(cluster, karpenter_pools[0].origin)


def _faults(cluster: Cluster, chosen: Origin) -> Iterator[Finding]:
    """The settings that it does not support; `chosen` is the document that sets the provisioner."""
    for key, (refused, instead) in REFUSED.items():
        # mode is a setting of the azure plugin.
        if cluster.network[key] == refused and (key != "mode" or cluster.network["plugin"] == "azure"):
            maker = with_place("node auto-provisioning", chosen, ("spec", "provisioner"))
            message = f"{maker} does not support {key}: {refused}"
            yield Finding(cluster.origin, ("spec", "network", key), message, f"migrate the cluster to {instead}")


RULE = Rule(
    code="NET001",
    name="node-autoprovisioning-unsupported",
    twin="APL013",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="Node auto-provisioning does not support the network of the cluster.",
    help="AKS refuses to enable node auto-provisioning, or its nodes start without a working pod network.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/597e0fe04630e909bc9ce5b31911a2fe7cd66a59/articles/aks/node-auto-provisioning-networking.md",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-networking",
    ),
    check=_check,
)
