"""A Windows node pool of an AKS Automatic cluster."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import clusters, pools_of
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for cluster in clusters(objects):
        if reach(cluster.body, "spec", "sku", "name") == "Automatic":
            for pool in pools_of(cluster, objects):
                if pool.os_type == "Windows":
                    message = f"AKS Automatic has no Windows nodes, but pool '{pool.name}' has osType: Windows"
                    remedy = "remove the pool; only a cluster with another sku can have it"
                    yield Finding(pool.item, pool.place("osType"), message, remedy)


RULE = Rule(
    code="APL110",
    name="windows-on-automatic",
    twin="AUT003",
    severity=Severity.ERROR,
    summary="A node pool of an AKS Automatic cluster has Windows nodes.",
    help="AKS Automatic supports Linux nodes only.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/aks-automatic/aks-automatic-limitations.md",
    ),
    check=_check,
)
