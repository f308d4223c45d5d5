"""The network of a cluster with Windows nodes must support Windows."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import cluster_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import windows_pools
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Windows pools on clusters whose network supports only Linux."""
    refused = [(network["field"], network["value"]) for network in inputs.catalog.must("pools", "aks")["linuxNetworks"]]
    for pool, clusters in windows_pools(inputs):
        for key, value in refused:
            wrong_clusters = (cluster for cluster in clusters if cluster.network.get(key) == value)
            names = [cluster_with_place(cluster, "network", key) for cluster in wrong_clusters]
            if names:
                message = f"Windows nodes cannot join {join_names(names)}: the network has {key}: {value}"
                remedy = "use a cluster with plugin: azure and a policy other than cilium"
                yield Finding(pool.origin, ("spec", "os"), message, remedy)


RULE = Rule(
    code="WIN005",
    name="network-without-windows",
    twin="APL105",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A Windows pool is on a cluster whose network supports Linux only.",
    help="Windows nodes need Azure CNI. Azure CNI Powered by Cilium and bring-your-own CNI support Linux nodes only.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/windows-vs-linux-containers.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/azure-cni-powered-by-cilium.md",
    ),
    facts=("pools/aks",),
    check=_check,
)
